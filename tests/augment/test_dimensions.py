"""What the transformations make of the base harness, and of harnesses that none of us wrote."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from components.augment import TRANSFORMATIONS, Dimension, NameMap, build
from components.augment.naming import STYLES
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL
from components.harness.arguments import from_canonical, to_canonical
from components.harness.records import covered
from components.harness.render import system_prompt
from components.harness.types import (
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    PromptFormat,
    Request,
    Skill,
    SkillFile,
    SkillKind,
    SkillList,
    Tool,
)
from tests.augment.worlds import FOREIGN

NESTED: JsonObject = {
    "type": "object",
    "properties": {
        "parcel_id": {"type": "integer", "minimum": 1, "maximum": 4},
        "filter": {
            "type": "object",
            "properties": {"carrier": {"type": "string", "enum": ["land", "sea"]}, "days": {"type": "integer"}},
            "required": ["days"],
        },
        "ids": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["parcel_id", "filter"],
}
WRITTEN = {"parcel_id": 3, "filter": {"carrier": "sea", "days": 2}, "ids": [4, 5]}


def foreign_with(tool: Tool) -> Harness:
    return replace(FOREIGN, tools=(*FOREIGN.tools, tool))


def changed(name: str, schema: JsonObject = NESTED, seed: int = 1) -> Tool:
    """What a transformation makes of a tool with this schema."""
    harness = build(foreign_with(Tool("odd_tool", "Odd.", schema, "odd")), [name], seed)
    return next(tool for tool in harness.tools if tool.implementation == "odd")


def test_every_dimension_has_at_least_six_transformations_and_both_families_two() -> None:
    counts = Counter((t.dimension, t.family) for t in TRANSFORMATIONS.values())
    for dimension in Dimension:
        assert sum(counts[dimension, family] for family in ("train", "heldout")) >= 6
        assert min(counts[dimension, family] for family in ("train", "heldout")) >= 2
    assert len({id(t.apply) for t in TRANSFORMATIONS.values()}) == len(TRANSFORMATIONS)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_every_transformation_changes_the_base_harness(base: Harness, name: str) -> None:
    assert all(build(base, [name], seed) != base for seed in range(3))


@pytest.mark.parametrize("dimension", Dimension)
def test_train_and_heldout_never_make_the_same_harness(base: Harness, dimension: Dimension) -> None:
    made = {
        family: [
            build(base, [t.name], seed)
            for t in TRANSFORMATIONS.values()
            if (t.dimension, t.family) == (dimension, family)
            for seed in range(4)
        ]
        for family in ("train", "heldout")
    }
    assert not [harness for harness in made["train"] if harness != base and harness in made["heldout"]]


def test_opaque_names_replace_every_mention_and_leave_the_descriptions() -> None:
    variant = build(FOREIGN, ["skill_identifiers/opaque"], 3)
    refunds, parcels = variant.skills
    assert re.fullmatch(r"sk_[0-9a-f]{4}", refunds.name)
    assert refunds.description == "Money back."
    assert parcels.body == f"For a broken parcel load `{refunds.name}` instead. Refunds take days."
    assert variant.hooks[0].message == f"Load the {refunds.name} skill or {parcels.name}: {{reason}}."
    assert variant.prompt.sections[0].text == f"Use track_parcel and **{refunds.name}**."


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("casing", r"refunds|parcel-status|parcelStatus"),
        ("namespaced", r"(?:live|shop|host)__(?:refunds|parcel_status)"),
        ("abbreviated", r"RFN|PRC_STT"),
        ("numbered", r"[SKM]0[12]_(?:refunds|parcel_status)"),
        ("chinese", r"售后|parcel_status_主题"),
    ],
)
def test_names_in_the_forms_that_are_promised(name: str, pattern: str) -> None:
    for seed in range(5):
        variant = build(FOREIGN, [f"skill_identifiers/{name}"], seed)
        assert all(re.fullmatch(pattern, skill.name) for skill in variant.skills), [skill.name for skill in variant.skills]


def test_a_name_that_alone_told_a_skill_apart_goes_into_the_description() -> None:
    silent = replace(FOREIGN, skills=tuple(replace(skill, description="Helps.") for skill in FOREIGN.skills))
    variant = build(silent, ["skill_identifiers/opaque"], 3)
    assert [skill.description for skill in variant.skills] == ["refunds: Helps.", "parcel status: Helps."]


def test_the_files_of_a_skill_follow_a_new_name_and_other_files_stay() -> None:
    files = (SkillFile("references/a.md", "See parcel_status."), SkillFile("assets/a.png", "parcel_status", "base64"))
    harness = replace(FOREIGN, skills=tuple(replace(skill, files=files) for skill in FOREIGN.skills))
    variant = build(harness, ["skill_identifiers/opaque"], 3)
    text, image = variant.skills[0].files
    assert text.content == f"See {variant.skills[1].name}."
    assert image == files[1]


def test_skills_keep_their_names_where_the_schema_lists_them() -> None:
    schema = {"type": "object", "properties": {"skill": {"enum": ["refunds", "parcel_status"]}}, "required": ["skill"]}
    listed = replace(FOREIGN, tools=(replace(FOREIGN.tools[0], parameters=schema), FOREIGN.tools[1]))
    for transformation in TRANSFORMATIONS.values():
        names = {skill.name for skill in transformation.apply(listed, Random(1)).skills}
        assert {"refunds", "parcel_status"} <= names


def test_a_split_skill_says_in_two_halves_what_it_said_and_each_names_the_other(base: Harness) -> None:
    variant = build(base, ["skill_content/split"], 2)
    parts = [skill for skill in variant.skills if skill.key not in {s.key for s in base.skills}]
    keys = {key for part in parts for key in covered(part)}
    assert sorted(part.key for part in parts) == sorted(f"{key}/{number}" for key in keys for number in (1, 2))
    for key in keys:
        first, second = (part for part in parts if covered(part) == (key,))
        assert second.name in first.body and first.name in second.body
        whole = next(skill for skill in base.skills if skill.key == key)
        assert set(whole.body.split()) <= set(f"{first.body} {second.body}".split())
        assert whole.description in first.description and whole.description in second.description


def test_a_merged_skill_stands_for_both_and_is_mentioned_for_both() -> None:
    variant = build(FOREIGN, ["skill_content/merged"], 2)
    (merged,) = variant.skills
    assert covered(merged) in (("refunds", "parcel_status"), ("parcel_status", "refunds"))
    assert "Ask for the parcel_id." in merged.body and "Refunds take days." in merged.body
    assert f"`{merged.name}` instead" in merged.body
    assert f"**{merged.name}**" in variant.prompt.sections[0].text


def test_skills_of_two_kinds_or_with_other_files_of_one_name_are_never_merged() -> None:
    strategy = replace(FOREIGN.skills[0], kind=SkillKind.STRATEGY)
    for one in (strategy, replace(FOREIGN.skills[0], files=(SkillFile("a.md", "one"),))):
        harness = replace(FOREIGN, skills=(one, replace(FOREIGN.skills[1], files=(SkillFile("a.md", "two"),))))
        assert build(harness, ["skill_content/merged"], 2) == harness


def test_distractors_come_beside_what_there_is_and_stand_for_nothing(base: Harness) -> None:
    for seed in range(5):
        variant = build(base, ["skill_content/distractors", "tool_schemas/distractors"], seed)
        new_skills = [skill for skill in variant.skills if skill not in base.skills]
        new_tools = [tool for tool in variant.tools if tool not in base.tools]
        assert 1 <= len(new_skills) <= 3 and 1 <= len(new_tools) <= 3
        assert all(skill.key.startswith(DISTRACTOR_SKILL) and covered(skill) == () for skill in new_skills)
        assert all(tool.implementation.startswith(DISTRACTOR_TOOL) for tool in new_tools)
        assert [skill for skill in variant.skills if skill in base.skills] == list(base.skills)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("bulleted", "[-*] Weigh it\\.\n[-*] Print a label\\."),
        ("numbered", "1\\. Weigh it\\.\n2\\. Print a label\\."),
        ("tabled", "\\| what to do \\|\n.*\n\\| Weigh it\\. \\|\n\\| Print a label\\. \\|"),
        ("sectioned", "#+ Scope\nFor parcels\\.\n\n#+ Instructions\nWeigh it\\. Print a label\\."),
        ("questions", "W.*\\?\nFor parcels\\.\n\nW.*\\?\nWeigh it\\. Print a label\\."),
        ("longer", "Weigh it\\. Print a label\\.\n\n\\w.*\\."),
    ],
)
def test_bodies_in_the_layouts_that_are_promised(name: str, body: str) -> None:
    skill = Skill("parcels", "For parcels.", "Weigh it. Print a label.", SkillKind.REPLY, "parcels")
    empty = Skill("nothing", "Empty.", "", SkillKind.REPLY, "nothing")
    variant = build(replace(FOREIGN, skills=(skill, empty)), [f"skill_content/{name}"], 1)
    assert re.fullmatch(body, variant.skills[0].body), variant.skills[0].body
    assert variant.skills[1] == empty


def test_renamed_tools_and_parameters_are_renamed_in_every_text() -> None:
    for name in ("renamed", "spanish", "pinyin", "other_names", "german"):
        variant = build(FOREIGN, [f"tool_schemas/{name}"], 5)
        names = NameMap.between(FOREIGN, variant)
        track, number = names.tools["track_parcel"], names.properties()["parcel_id"]
        tool = next(tool for tool in variant.tools if tool.name == track)
        assert track != "track_parcel" and number != "parcel_id"
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", track)
        assert tool.description in (f"Where a parcel is; give `{number}`.", f"track parcel: Where a parcel is; give `{number}`.")
        assert list(tool.parameters["properties"]) == [number]
        assert tool.parameters["required"] == [number]
        assert tool.parameters["properties"][number]["description"] == "parcel id"
        assert track in variant.prompt.sections[0].text


def test_no_new_name_of_a_tool_is_longer_than_servers_take() -> None:
    name = "a" + "_price" * 10
    assert all(len(changed_name(name, transformation)) <= 64 for transformation in TRANSFORMATIONS)


def changed_name(name: str, transformation: str) -> str:
    harness = build(foreign_with(Tool(name, "Odd.", {"type": "object"}, "odd")), [transformation], 1)
    return next(tool.name for tool in harness.tools if tool.implementation == "odd")


@pytest.mark.parametrize("name", [name for name, t in TRANSFORMATIONS.items() if t.dimension is Dimension.TOOL_SCHEMAS])
def test_any_form_of_the_schema_reaches_the_same_canonical_arguments(name: str) -> None:
    tool = changed(name)
    canonical = {"parcel_id": 3, "filter": {"carrier": "sea", "days": 2}, "ids": [4, 5]}
    assert to_canonical(Tool("odd_tool", "", NESTED, "odd"), WRITTEN) == canonical
    assert to_canonical(tool, from_canonical(tool, canonical)) == canonical


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("integers_as_text", {"parcel_id": "3", "filter": {"carrier": "sea", "days": "2"}, "ids": ["4", "5"]}),
        ("written_out", WRITTEN),
    ],
)
def test_arguments_as_the_model_writes_them(name: str, written: JsonObject) -> None:
    canonical = {"parcel_id": 3, "filter": {"carrier": "sea", "days": 2}, "ids": [4, 5]}
    assert from_canonical(changed(f"tool_schemas/{name}"), canonical) == written


def test_what_may_be_left_out_is_grouped_and_all_of_it_nested() -> None:
    grouped, nested = changed("tool_schemas/grouped"), changed("tool_schemas/nested")
    assert list(grouped.parameters["properties"])[:2] == ["parcel_id", "filter"]
    (group,) = list(grouped.parameters["properties"])[2:]
    assert grouped.parameters["properties"][group]["properties"] == {"ids": NESTED["properties"]["ids"]}
    assert grouped.parameters["required"] == ["parcel_id", "filter"]
    ((envelope, inner),) = nested.parameters["properties"].items()
    assert inner == NESTED
    assert nested.parameters["required"] == [envelope]


def test_a_small_range_is_written_out() -> None:
    written, text = (changed(f"tool_schemas/{name}").parameters["properties"] for name in ("written_out", "integers_as_text"))
    assert written["parcel_id"] == {"type": "integer", "enum": [1, 2, 3, 4]}
    assert text["parcel_id"] == {"type": "string", "enum": ["1", "2", "3", "4"]}
    assert text["ids"]["items"] == {"type": "string", "pattern": "^-?[0-9]+$"}


def test_the_names_of_the_skills_are_written_out_after_they_changed() -> None:
    variant = build(FOREIGN, ["skill_identifiers/namespaced", "tool_schemas/written_out"], 1)
    assert variant.tools[0].parameters["properties"]["skill"]["enum"] == [skill.name for skill in variant.skills]


def test_the_values_of_an_enum_are_told_where_a_pattern_bounds_them() -> None:
    carrier = changed("tool_schemas/enums_as_patterns").parameters["properties"]["filter"]["properties"]["carrier"]
    assert carrier["pattern"] == "^(?:land|sea)$" and "enum" not in carrier
    assert carrier["description"].endswith("of — land, sea.") and carrier["description"].startswith("carrier")


def test_schemas_that_are_more_than_plain_objects_keep_their_parameters() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "integer"}}}
    for name in TRANSFORMATIONS:
        assert changed(name, schema).parameters == schema


def test_a_parameter_that_such_a_schema_shares_keeps_its_name_everywhere() -> None:
    schema = {"type": "object", "properties": {"parcel_id": {"type": "integer"}}, "anyOf": [{"required": ["parcel_id"]}]}
    harness = foreign_with(Tool("odd_tool", "Odd.", schema, "odd"))
    assert "parcel_id" in build(harness, ["tool_schemas/renamed"], 1).tools[1].parameters["properties"]


def test_formats_of_the_system_prompt_and_forms_of_the_list_of_skills(base: Harness) -> None:
    def seen(name: str) -> set[PromptFormat | SkillList]:
        prompts = [build(base, [f"prompt_structure/{name}"], seed).prompt for seed in range(12)]
        return {prompt.format for prompt in prompts} | {prompt.skill_list for prompt in prompts}

    assert seen("xml_or_numbered") == {PromptFormat.XML, PromptFormat.NUMBERED, SkillList.BULLETS}
    assert seen("json_or_plain") == {PromptFormat.JSON, PromptFormat.PLAIN, SkillList.BULLETS}
    assert seen("skills_told") == {PromptFormat.MARKDOWN, SkillList.SENTENCES}
    assert seen("skills_as_table_or_json") == {PromptFormat.MARKDOWN, SkillList.TABLE, SkillList.JSON}


def test_sections_that_share_a_heading_never_become_json(base: Harness) -> None:
    sections = tuple(replace(section, heading="Same") for section in base.prompt.sections)
    same = replace(base, prompt=replace(base.prompt, sections=sections))
    formats = {build(same, ["prompt_structure/json_or_plain"], seed).prompt.format for seed in range(12)}
    assert PromptFormat.JSON not in formats


def test_split_and_merged_sections_say_the_same_under_the_same_conditions(base: Harness) -> None:
    def said(harness: Harness) -> Counter[tuple[str, str]]:
        return Counter((str(s.when), word) for s in harness.prompt.sections for word in s.text.split())

    split, merged = (build(base, [f"prompt_structure/{name}"], 1) for name in ("split", "merged"))
    assert said(split) == said(merged) == said(base)
    assert len(merged.prompt.sections) < len(base.prompt.sections) < len(split.prompt.sections)


def test_a_preamble_comes_first_and_a_closing_last(base: Harness) -> None:
    first = build(base, ["prompt_structure/preamble"], 1).prompt.sections
    last = build(base, ["prompt_structure/closing"], 1).prompt.sections
    assert first[1:] == base.prompt.sections == last[:-1]


RETRIES = tuple(
    Hook(f"{check}_{number}", point, check, HookAction.RETRY, "Mend it: {reason}. Then go on.", parameters)
    for point, check, parameters in (
        (HookPoint.REPLY_FORMAT, "no_markup", {}),
        (HookPoint.REPLY_FORMAT, "reply_length", {"max_words": 40}),
        (HookPoint.COMPLIANCE, "forbidden_phrases", {"phrases": ["never ever"]}),
    )
    for number in (1, 2)
)
SPOKEN = Hook("spoken", HookPoint.COMPLIANCE, "medical_claims", HookAction.FALL_BACK, "Please ask a doctor.")
CONTROL = Hook("control", HookPoint.RETRY_CONTROL, "retries_spent", HookAction.RETRY, "{message} Last try.", {"max_retries": 1})


def with_hooks(*hooks: Hook) -> Harness:
    return replace(FOREIGN, hooks=hooks)


def test_hooks_swap_places_only_among_neighbours_that_ask_for_a_retry() -> None:
    a, b, c, d, e, f = RETRIES
    harness = with_hooks(a, b, c, SPOKEN, d, e, f)
    made = [build(harness, ["hook_behaviour/reordered"], seed).hooks for seed in range(200)]
    assert all(hooks[3] == SPOKEN for hooks in made)
    assert {tuple(h.point for h in hooks) for hooks in made} == {tuple(h.point for h in harness.hooks)}
    assert len({tuple(h.name for h in hooks[:5]) for hooks in made}) == 24
    assert {tuple(h.name for h in hooks[5:]) for hooks in made} == {(e.name, f.name), (f.name, e.name)}
    ends = tuple(replace(hook, action=HookAction.BLOCK) if hook in (b, e) else hook for hook in RETRIES)
    mixed = with_hooks(*ends)
    assert all(build(mixed, ["hook_behaviour/reordered"], seed).hooks[1] == ends[1] for seed in range(10))


def test_hooks_move_to_points_where_their_check_works_and_never_past_one_that_acts_otherwise() -> None:
    free = [build(with_hooks(*RETRIES), ["hook_behaviour/moved"], seed).hooks for seed in range(20)]
    assert len({hook.point for hooks in free for hook in hooks}) == 4
    assert all([replace(m, point=h.point) for m, h in zip(made, RETRIES, strict=True)] == [*RETRIES] for made in free)
    rewrite = replace(RETRIES[1], name="rewrite", action=HookAction.REWRITE)
    for seed in range(20):
        *_, moved = build(with_hooks(rewrite, RETRIES[-1]), ["hook_behaviour/moved"], seed).hooks
        assert moved.point is not HookPoint.SKILL_REQUIREMENT


def test_bounds_of_a_reply_are_only_ever_raised_and_others_stay() -> None:
    fresh = Hook("fresh", HookPoint.TOOL_RESULT, "result_is_fresh", HookAction.RETRY, "Old.", {"max_age_minutes": 30})
    hooks = [build(with_hooks(*RETRIES, fresh), ["hook_behaviour/looser"], seed).hooks for seed in range(20)]
    assert {h.parameters["max_words"] for made in hooks for h in made if "max_words" in h.parameters} == {50, 60, 80}
    assert all(made[-1] == fresh for made in hooks)


def test_stricter_hooks_forbid_what_they_forbade_and_more() -> None:
    *_, phrases = build(with_hooks(*RETRIES), ["hook_behaviour/stricter"], 1).hooks
    assert phrases.parameters["phrases"][0] == "never ever"
    assert len(phrases.parameters["phrases"]) > 2


def test_the_extra_check_comes_beside_the_others(base: Harness) -> None:
    *others, extra = build(base, ["hook_behaviour/extra_check"], 0).hooks
    assert tuple(others) == base.hooks
    assert (extra.check, extra.action) == ("forbidden_phrases", HookAction.RETRY)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("steps", r"1\. Mend it: \{reason\}\.\n2\. Then go on\.\n3\. .*"),
        ("quoted", r"Mend it: \{reason\}\. Then go on\.\n.*«\{reply\}»"),
        ("tagged", r"<(\w+)>Mend it: \{reason\}\. Then go on\.</\1>"),
        ("spanish", r"(Respuesta .* )?Mend it: \{reason\}\. Then go on\.( Corrígela .*)?"),
    ],
)
def test_forms_of_a_retry_message(name: str, message: str) -> None:
    made = build(with_hooks(RETRIES[0], SPOKEN, CONTROL), [f"hook_behaviour/{name}"], 1).hooks
    assert re.fullmatch(message, made[0].message), made[0].message
    assert made[1:] == (SPOKEN, CONTROL)


def test_a_retry_message_as_json_can_be_read_as_json() -> None:
    odd = replace(RETRIES[1], message='Say "so".')
    made = build(with_hooks(RETRIES[0], odd), ["hook_behaviour/json"], 1).hooks
    assert RETRIES[0].message in json.loads(made[0].message).values()
    assert made[1] == odd


@pytest.mark.parametrize("name", [name for name, t in TRANSFORMATIONS.items() if t.dimension is Dimension.HOOK_BEHAVIOUR])
def test_what_a_viewer_hears_never_changes(name: str) -> None:
    assert SPOKEN in build(with_hooks(*RETRIES, SPOKEN, CONTROL), [name], 1).hooks


def test_names_stay_in_the_styles_of_their_family(base: Harness) -> None:
    def names(transformation: str) -> set[str]:
        return {t.name for seed in range(6) for t in build(base, [f"tool_schemas/{transformation}"], seed).tools}

    assert len(STYLES["train"]) == 3
    assert all(name[0].islower() for name in names("renamed") | names("spanish") | names("pinyin"))
    assert all(name[0].isupper() for name in names("other_names") | names("german"))


def test_a_variant_stays_readable_in_a_short_context(base: Harness) -> None:
    """Half of a family's transformations at once make what the model may read little more than twice as long at the most."""
    request = Request("r", "room", ("Hello",), 1, ((1, "Mug"),))

    def size(harness: Harness) -> int:
        schemas = (json.dumps(tool.parameters) for tool in harness.tools)
        bodies = (skill.body for skill in harness.skills)
        return len(" ".join([system_prompt(harness, request), *bodies, *schemas, *(h.message for h in harness.hooks)]).split())

    for family in ("train", "heldout"):
        names = [t.name for t in TRANSFORMATIONS.values() if t.family == family]
        drawn = [[name for name in names if Random(f"{seed}{name}").random() < 0.5] for seed in range(12)]
        assert max(size(build(base, some, seed)) for seed, some in enumerate(drawn)) < 2.2 * size(base)
