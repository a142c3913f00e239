"""Foreign exports become the documented tables; the guide says what the code does."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from components.errors import UserError
from components.harness import AgentLoop, load_harness
from components.judge import check
from components.liveroom import Catalogue, CatalogueRoom, World, truth
from components.liveroom.logs import BadCells, import_logs, read_logs
from components.liveroom.logs.cells import expected, parse
from components.liveroom.logs.mapping import Mapping
from components.liveroom.logs.requests import MAY, NEEDS
from components.liveroom.logs.tables import TABLES
from components.liveroom.types import Intent
from components.policy.expert import ExpertPolicy
from flows.commands.logs import import_logs as command
from tests.liveroom.tables import SHOP, write

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "room_logs" / "README.md").read_text(encoding="utf-8")
SHARED = ROOT.parent / "shared" / "data"

NESTED = {
    "p1": {
        "name": "Kettle",
        "variants": {
            "v1": {"options": {"color": "red", "power": "1500 W"}, "price": 49.9},
            "v2": {"options": {"color": "blue", "power": "2000 W"}, "price": 59.9},
        },
    }
}


def mapping_file(folder: Path, tables: dict[str, Any]) -> Path:
    path = folder / "mapping.yaml"
    path.write_text(yaml.safe_dump({"tables": tables}, allow_unicode=True), encoding="utf-8")
    return path


def as_they_are(*names: str) -> dict[str, Any]:
    """A mapping that renames nothing."""
    columns = {name: list(dict.fromkeys(column for row in SHOP[name] for column in row)) for name in names}
    return {name: {"source": f"{name}.csv", "columns": {one: one for one in columns[name]}} for name in names}


def test_guide_shows_every_column_with_what_it_holds_and_an_example_that_can_be_read() -> None:
    for table in TABLES.values():
        section = GUIDE.split(f"### {table.name}{' (required)' if table.required else ''}\n")[1].split("###")[0]
        shown = re.findall(r"^\| `(\w+)`( \(may be empty\))? \| (.+?) \| (.+?) \| `(.+?)` \|$", section, re.MULTILINE)
        assert [(name, not optional, holds, about, example) for name, optional, holds, about, example in shown] == [
            (column.name, column.required, expected(column, column.name), column.about, column.example)
            for column in table.columns
        ]
        for column in table.columns:
            assert parse(column, column.name, column.example) is not None


def test_guide_shows_what_each_intent_needs_and_may_have() -> None:
    section = GUIDE.split("## What goes with an intent")[1].split("## ")[0]
    for intent in set(Intent) - {Intent.SEVERAL}:
        [line] = re.findall(rf"^\| `{intent}` \| (.+) \|$", section, re.MULTILINE)
        needed, _, allowed = line.partition("(")
        assert tuple(re.findall(r"`(\w+)`", needed)) == NEEDS.get(intent, ())
        assert tuple(re.findall(r"`(\w+)`", allowed)) == MAY.get(intent, ())


def test_every_mapping_in_the_guide_is_one(tmp_path: Path) -> None:
    mappings = [Mapping.model_validate(yaml.safe_load(block)) for block in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)]
    assert len(mappings) == 2


def test_nested_catalogue_of_the_guide_reads_as_the_guide_says(tmp_path: Path) -> None:
    shown = re.search(r"a catalogue such as `(.+?)` reads as\n\n```yaml\n(.*?)```", GUIDE, re.DOTALL)
    assert shown
    (tmp_path / "kettles.json").write_text(" ".join(shown[1].split()))
    (tmp_path / "mapping.yaml").write_text(shown[2])
    world = import_logs(tmp_path / "kettles.json", tmp_path / "mapping.yaml", tmp_path / "logs").logs.world
    [kettle] = world.items
    assert (kettle.item_id, kettle.title, kettle.features) == ("v1", "Kettle, red, 1500 W", {"power": "1500 W"})
    assert (kettle.skus[0].colour, kettle.skus[0].price_cents) == ("red", 4990)
    assert [(room.room_id, room.links) for room in world.rooms] == [("Kettle", ((1, "v1"),))]


def test_chinese_export_in_gbk_with_a_row_for_each_sku_becomes_items_and_skus(tmp_path: Path) -> None:
    lines = ["货号,标题,颜色,尺码,价格,状态", "A1,亚麻衬衫,白色,M,59.00,在售", "A1,亚麻衬衫,白色,L,69.00,售罄"]
    (tmp_path / "products.csv").write_bytes("\r\n".join(lines).encode("gbk"))
    common = {"source": "products.csv", "encoding": "gbk"}
    given = {"category": "服饰", "material": "亚麻", "ship_from": "杭州", "ship_days": 2, "return_days": 7, "warranty_months": 12}
    mapping = mapping_file(
        tmp_path,
        {
            "items": {**common, "columns": {"货号": "item_id", "标题": "title"}, "defaults": given},
            "skus": {
                **common,
                "columns": {"货号": "item_id", "颜色": "colour", "尺码": "size", "价格": "price", "状态": "stock"},
                "values": {"stock": {"在售": 100, "售罄": 0}},
                "defaults": {"sku_id": "{货号}-{颜色}-{尺码}"},
            },
        },
    )
    imported = import_logs(tmp_path, mapping, tmp_path / "logs")
    [shirt] = imported.logs.world.items
    assert shirt.title == "亚麻衬衫"
    assert [(sku.sku_id, sku.price_cents, sku.stock) for sku in shirt.skus] == [("A1-白色-M", 5900, 100), ("A1-白色-L", 6900, 0)]
    assert [(one.table, one.rows, one.repeated) for one in imported.tables] == [("items", 1, 1), ("skus", 2, 0)]
    assert imported.missing == ("links", "comments")


def test_import_that_renames_nothing_gives_the_same_world(tmp_path: Path) -> None:
    source = write(tmp_path / "theirs", SHOP)
    imported = import_logs(source, mapping_file(tmp_path, as_they_are(*SHOP)), tmp_path / "logs")
    assert imported.logs.world == read_logs(source, seed=0) == read_logs(tmp_path / "logs", seed=0)


def test_tables_of_two_imports_are_checked_together(tmp_path: Path) -> None:
    source = write(tmp_path / "theirs", SHOP)
    shop = [name for name in SHOP if name not in ("comments", "dialogue")]
    assert import_logs(source, mapping_file(tmp_path, as_they_are(*shop)), tmp_path / "logs").missing == ("comments",)
    write(source, {"comments": [{**SHOP["comments"][0], "link": "9", "request_id": ""}]})
    talk = mapping_file(tmp_path, as_they_are("comments"))
    with pytest.raises(BadCells, match=r"theirs/comments\.csv:2:link: room r1 has no link 9"):
        import_logs(source, talk, tmp_path / "logs")
    assert not (tmp_path / "logs" / "comments.csv").exists()


def test_bad_cell_of_a_foreign_file_is_named_in_its_own_words_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "stock.csv").write_text("nr,preis\n1,teuer\n2,\n")
    columns = {"nr": ["sku_id", "item_id"], "preis": "price"}
    mapping = mapping_file(tmp_path, {"skus": {"columns": columns, "defaults": {"colour": "red", "stock": 1}}})
    with pytest.raises(BadCells) as error:
        import_logs(tmp_path / "stock.csv", mapping, tmp_path / "logs")
    assert [problem.split("stock.csv:")[1].split(": ")[0] for problem in error.value.problems] == ["2:preis", "3:preis"]
    assert not (tmp_path / "logs").exists()


def test_bad_cell_of_a_nested_file_is_named_by_its_keys(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"p1": {"variants": [{"id": "a", "price": 1}, {"id": "b", "price": "?"}]}}))
    skus = {"rows": "*.variants.*", "columns": {"id": ["sku_id", "item_id"], "price": "price"}}
    mapping = mapping_file(tmp_path, {"skus": {**skus, "defaults": {"colour": "red", "stock": 1}}})
    with pytest.raises(BadCells, match=r"p\.json:p1:variants:2:price: expected yuan"):
        import_logs(tmp_path / "p.json", mapping, tmp_path / "logs")


def test_table_that_is_there_is_replaced_only_when_told(tmp_path: Path) -> None:
    source = write(tmp_path / "theirs", SHOP)
    logs = write(tmp_path / "logs", SHOP, ".jsonl")
    mapping = mapping_file(tmp_path, as_they_are("faq"))
    with pytest.raises(UserError, match=r"faq\.jsonl: is there already; .* --replace"):
        import_logs(source, mapping, logs)
    import_logs(source, mapping, logs, replace=True)
    assert not (logs / "faq.jsonl").exists()
    assert (logs / "faq.csv").exists()
    assert read_logs(logs, seed=0) == read_logs(source, seed=0)


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ({"item": {}}, r"tables\.item: no such table; did you mean items\?"),
        ({"items": {"columns": {"nr": "item"}}}, r"tables\.items\.columns: no column item in this table; did you mean item_id\?"),
        ({"items": {"defaults": {"shipdays": 1}}}, r"tables\.items\.defaults: no column shipdays .* did you mean ship_days\?"),
        ({"items": {"columns": {"nr": "item_id", "preis": "item_id"}}}, r"item_id is filled twice"),
        ({"items": {"columns": {"Nr": "item_id"}}}, r"tables\.items: no column 'Nr' in .*theirs\.csv; did you mean nr\?"),
        ({"items": {"columns": {"nr": "item_id"}, "skip": {"x": ["1"]}}}, r"no column 'x' in .*; expected one of nr, preis"),
        ({"items": {"columns": {"nr": "item_id"}, "defaults": {"title": "{name}"}}}, r"no column 'name'"),
        ({"items": {"rows": "a.*", "columns": {"nr": "item_id"}}}, r"theirs\.csv:2: rows: expected 'a' here"),
        ({"items": {"rows": "*.*"}}, r"theirs\.csv:2:nr: rows: `\*` expects an object or a list, found \"1\""),
        ({"items": {"colums": {}}}, r"tables\.items\.colums: extra inputs are not permitted"),
        ({"items": {"source": "other.csv"}}, r"tables\.items\.source: other\.csv, but the source is the file"),
        ({}, r"tables: dictionary should have at least 1 item"),
    ],
)
def test_mapping_that_cannot_be_used_is_named(tmp_path: Path, tables: dict[str, Any], expected: str) -> None:
    (tmp_path / "theirs.csv").write_text("nr,preis\n1,2\n")
    with pytest.raises(UserError, match=expected) as error:
        import_logs(tmp_path / "theirs.csv", mapping_file(tmp_path, tables), tmp_path / "logs")
    assert "\n" not in str(error.value)


def test_command_says_what_came_in_and_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_text('{"who": "viewer", "text": "hi", "id": 1}\n{"who": "bot", "text": "hello", "id": 2}\n')
    mapping = mapping_file(tmp_path, {"comments": {"columns": {"text": "comment"}, "skip": {"who": ["bot"]}}})
    arguments = ["chat.jsonl", "--mapping", mapping.name, "--to", "logs"]
    result = CliRunner().invoke(command, arguments, obj=tmp_path, catch_exceptions=False)
    assert "comments.csv: 1 rows, 1 left out by the mapping's skip" in result.output
    assert "columns not used: id" in result.output
    assert "1 comments have no intent" in result.output
    assert "still missing, and no run takes" in result.output


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published catalogue lies beside the project, not in it")
def test_published_retail_catalogue_and_customers_lines_can_be_imported(tmp_path: Path) -> None:
    shown = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)[1]
    mapping = yaml.safe_load(shown)["tables"]
    mapping["skus"]["values"] = {"stock": {True: 10, False: 0}}
    mapping["skus"]["columns"] |= {"options.size": "size", "available": "stock"}
    mapping["skus"]["defaults"] = {"colour": "as shown"}
    mapping["items"]["columns"] |= {"options.material": "material"}
    mapping["features"]["skip"] = {"$3": ["color", "size", "material"]}
    logs = tmp_path / "logs"
    products = json.loads((SHARED / "tau2_retail" / "products.json").read_text())
    world = import_logs(SHARED / "tau2_retail" / "products.json", mapping_file(tmp_path, mapping), logs).logs.world
    variants = {key: variant for product in products.values() for key, variant in product["variants"].items()}
    assert {item.item_id: item.skus[0].price_cents for item in world.items} == {
        key: round(100 * variant["price"]) for key, variant in variants.items()
    }
    assert len(world.rooms) == len(products) == 50

    talk = mapping_file(tmp_path, {"comments": {"columns": {"text": "comment"}}})
    imported = import_logs(SHARED / "abcd" / "customer_utterances.jsonl", talk, logs)
    assert (imported.logs.unlabelled, imported.logs.world.cases, imported.missing) == (21, (), ())

    intents = ("product", "price", "stock", "shipping", "after_sales", "purchase", "coupon", "comparison")
    comments = [
        {"comment": f"{intent} of {number}?", "intent": intent, "room_id": room.room_id, "on_screen_link": 1, "link": 2}
        | {"other_link": 1 if intent == "comparison" else "", "quantity": 3 if intent == "coupon" else ""}
        for number, room in enumerate(world.rooms[::2])
        for intent in intents[number % 4 :: 4]
    ]
    write(logs, {"comments": comments})
    assert asyncio.run(_expert_verdicts(read_logs(logs, seed=7), tmp_path)) == {(1, 1.0): 50}


async def _expert_verdicts(world: World, folder: Path) -> Counter[tuple[int, float]]:
    catalogue = Catalogue.create(folder / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    harness = load_harness(ROOT / "harness")
    verdicts: Counter[tuple[int, float]] = Counter()
    for case in world.cases:
        right = truth(case, catalogue)
        room, expert = CatalogueRoom(catalogue, case.request), ExpertPolicy(harness, right)
        verdict = check(case, right, await AgentLoop(harness).run(case.request, room, expert, case.case_id))
        verdicts[verdict.accuracy, verdict.effectiveness] += 1
    catalogue.close()
    return verdicts
