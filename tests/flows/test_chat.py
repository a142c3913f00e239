"""`hat chat`, driven through its standard input: the expert, a model behind a URL, a model in a folder."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from components.errors import UserError
from components.harness.types import JsonObject
from flows.commands.chat import chat

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def talk(*lines: str, **options: str | bool) -> str:
    result = invoke(*lines, **options)
    assert result.exit_code == 0
    return result.output


def invoke(*lines: str, **options: str | bool) -> Result:
    given = {"profile": "smoke", **options}
    arguments = [
        part for name, value in given.items() for part in ([f"--{name}"] if value is True else [f"--{name}", str(value)])
    ]
    return CliRunner().invoke(chat, arguments, input="".join(f"{line}\n" for line in lines), obj=ROOT, catch_exceptions=False)


class Model(ThreadingHTTPServer):
    """A server that gives scripted messages in turn, the last one again and again, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[JsonObject] = []
        self.asked: list[JsonObject] = []
        self.hold, self.reached = threading.Event(), threading.Event()
        self.hold.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: Any) -> None:
        """Silent: a client may hang up."""


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.reached.set()
        self.server.hold.wait(30)
        script = self.server.script
        message = script.pop(0) if len(script) > 1 else script[0]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        shell = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
        body = json.dumps({**shell, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.hold.set()
        server.shutdown()


def calls(*named: tuple[str, JsonObject]) -> JsonObject:
    return {
        "content": None,
        "tool_calls": [
            {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for number, (name, arguments) in enumerate(named)
        ],
    }


SMALL_TALK = calls(("load_skill", {"skill": "small-talk"}))
HELLO = {"content": "Welcome to the room, so glad you are here!"}


def test_expert_plays_a_case_and_everything_it_does_is_shown() -> None:
    output = talk("/case price")
    for shown in ("viewer ", 'skill   load_skill {"skill": "price-qa"}', "tool    price_lookup", '"price_after_coupon"', "host "):
        assert shown in output
    assert "replied · 3 turns · 0 retries" in output
    assert "accurate 1 · effective 1.0" in output


@pytest.mark.parametrize("language", ["en", "zh"])
def test_expert_plays_every_intent_under_a_variant(language: str) -> None:
    intents = ("product", "comparison", "coupon", "faq", "campaign", "injection", "risky_claim", "several", "complaint")
    output = talk("/variant 5", *(f"/case {intent}" for intent in intents), language=language)
    assert output.count("accurate 1 · effective 1.0") == len(intents)
    assert "a held-out variant: " in output


def test_expert_says_that_free_text_needs_a_model() -> None:
    assert "the expert answers cases only: play one with /case, or start with --policy" in talk("how much is link 2?")


def test_model_answers_what_is_typed_and_the_dialogue_outlives_a_change_of_harness(model: Model) -> None:
    model.script = [SMALL_TALK, HELLO, HELLO]
    output = talk("hello | hi there", "/harness variant 3", "and again", policy=model.url, model="m")
    assert "host    Welcome to the room, so glad you are here!" in output
    assert "replied · 2 turns · 0 retries · 200 tokens read, 14 written" in output
    first, later = model.asked[0], model.asked[2]
    assert "hello" in first["messages"][1]["content"] and "hi there" in first["messages"][1]["content"]
    assert "Earlier" in later["messages"][1]["content"] and HELLO["content"] in later["messages"][1]["content"]
    assert [tool["function"]["name"] for tool in first["tools"]] != [tool["function"]["name"] for tool in later["tools"]]
    assert first["messages"][0] != later["messages"][0]


def test_cases_join_the_dialogue_which_outlives_a_change_of_harness() -> None:
    output = talk("/case price", "/harness variant 3", "/case stock", "/why")
    first, _, second, why = output.split("> /")[1:]
    comment = [line.split(maxsplit=1)[1] for line in first.splitlines() if line.startswith("viewer ")][-1]
    reply = next(line.split(maxsplit=1)[1] for line in first.splitlines() if line.startswith("host "))
    assert f"(viewer {comment})" in second and f"(host   {reply})" in second
    assert comment in why and reply in why
    assert output.count("accurate 1 · effective 1.0") == 2


def test_a_model_reads_the_cases_played_before(model: Model) -> None:
    model.script = [SMALL_TALK, HELLO]
    output = talk("/case price", "and you?", policy=model.url, model="m")
    comment = [line.split(maxsplit=1)[1] for line in output.splitlines() if line.startswith("viewer ")][-1]
    assert comment in model.asked[-1]["messages"][1]["content"]


def test_of_a_flood_of_comments_the_newest_count(model: Model) -> None:
    model.script = [SMALL_TALK, HELLO]
    output = talk(" | ".join(f"comment {number}." for number in range(11)), policy=model.url, model="m")
    asked = model.asked[0]["messages"][1]["content"]
    assert "3 older comments are left out" in output
    assert "comment 2." not in asked and "comment 3." in asked and "comment 10." in asked


def test_a_condition_on_the_audience_holds_where_enough_viewers_watch(model: Model, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "harness", tmp_path / "mine")
    pipeline = tmp_path / "mine" / "prompt" / "pipeline.yaml"
    crowd = "  - {name: crowd, heading: Crowd, source: text, text: Be quick., when: {viewers_over: 5000}}\n"
    pipeline.write_text(pipeline.read_text().replace("sections:\n", f"sections:\n{crowd}"))
    model.script = [SMALL_TALK, HELLO]
    options = {"policy": model.url, "model": "m", "harness": str(tmp_path / "mine")}
    assert "9000 viewers, on screen" in talk("hello", "/viewers 9000", "hello", **options)
    systems = [asked["messages"][0]["content"] for asked in model.asked]
    assert ["Be quick." in system for system in (systems[0], systems[-1])] == [False, True]
    assert "viewers" in model.asked[0]["messages"][1]["content"]


def test_harness_of_a_folder_answers_until_the_base_is_back(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "harness", tmp_path / "mine")
    skill = tmp_path / "mine" / "skills" / "price-qa" / "SKILL.md"
    text = skill.read_text().replace("name: price-qa", "name: what_it_costs")
    skill.write_text(text.replace("metadata:", "metadata:\n  key: price-qa"))
    (tmp_path / "mine" / "skills" / "price-qa").rename(tmp_path / "mine" / "skills" / "what_it_costs")
    output = talk("/case price", f"/harness {tmp_path / 'mine'}", "/case price", "/harness base", "/case price")
    skills = [line.split(maxsplit=1)[1] for line in output.splitlines() if line.startswith("skill") and "price-qa" in line]
    assert [skill.endswith("= price-qa") for skill in skills] == [False, True, False]


def test_hook_that_fires_is_shown_with_its_reason_and_its_message(model: Model) -> None:
    model.script = [HELLO, SMALL_TALK, HELLO]
    lines = talk("hello", policy=model.url, model="m").splitlines()
    [hook] = [line for line in lines if line.startswith("hook ")]
    assert ", retry: " in hook
    assert lines.index(hook) < next(number for number, line in enumerate(lines) if line.startswith("retry "))
    assert any("replied · 3 turns · 1 retries" in line for line in lines)


def test_item_on_screen_and_room_reach_the_model(model: Model) -> None:
    model.script = [HELLO]
    talk("/link 3", "what is this", "/room train-zh-001", "你好", policy=model.url, model="m")
    first, later = model.asked[0]["messages"][1]["content"], model.asked[-1]["messages"][1]["content"]
    assert "link 3" in first.split("On screen")[1].splitlines()[0]
    assert "你好" in later and HELLO["content"] not in later


def test_why_shows_the_whole_trajectory_and_prompt_and_tools_what_the_model_reads(model: Model) -> None:
    model.script = [SMALL_TALK, HELLO]
    output = talk("hello", "/why", "/prompt", "/tools", policy=model.url, model="m")
    why = output.split("> /why")[1].split("> /prompt")[0]
    assert model.asked[0]["messages"][0]["content"] in why
    assert "turn 1: skill small-talk" in why
    assert model.asked[0]["messages"][0]["content"] in output.split("> /prompt")[1]
    for tool in model.asked[0]["tools"]:
        assert tool["function"]["description"] in output.split("> /tools")[1]


def test_server_that_is_away_is_one_line_and_the_conversation_goes_on() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as gone:
        port = gone.server_address[1]
    output = talk("hello", "/link 2", policy=f"http://127.0.0.1:{port}/v1", model="m")
    [error] = [line for line in output.splitlines() if line.startswith("error ")]
    assert "Connection error" in error
    assert "policy_error · 0 turns" in output
    assert "on screen: link 2" in output


def test_model_in_a_folder_answers(tmp_path: Path) -> None:
    from components.policy import prepare_base

    prepare_base("tiny", tmp_path / "model", seed=1, text=["hello"] * 9)
    output = talk("hello", policy=str(tmp_path / "model"))
    assert "answered by model" in output
    assert "host " in output


def test_tools_fail_where_they_are_told_to() -> None:
    cases = ["/case price", "/case stock", "/case shipping", "/case coupon", "/case product"] * 3
    output = talk(*cases, faults=True)
    assert any(sign in output for sign in ("timed out", "permission denied", "as_of_minutes_ago", '{"data"', "{}"))
    assert output.count("accurate ") == len(cases)


def test_mistakes_are_one_line_each_and_the_conversation_goes_on() -> None:
    wrong = (
        "/cas",
        "/link 99",
        "/link x",
        "/room nowhere",
        "/harness nowhere",
        "/harness",
        "/variant two",
        "/case 12",
        "/viewers ²",
        "/why",
    )
    lines = talk("", *wrong, "/link 2").splitlines()
    for command in wrong:
        place = lines.index(f"viewer> {command}")
        assert lines[place + 2].startswith("viewer> ")
        assert any(word in lines[place + 1] for word in ("expected", "nothing was answered"))
    assert "on screen: link 2" in lines[-2]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"room": "nowhere"}, "room nowhere: not in the catalogue; expected one of"),
        ({"profile": "huge"}, "expected a profile among"),
        ({"policy": "no/such/model"}, "no/such/model/config.json: not found"),
        ({"harness": "no/such/harness"}, "no/such/harness"),
        ({"policy": "http://127.0.0.1:99999/v1", "model": "m"}, "expected an address such as http://localhost:8000/v1"),
        ({"policy": "http://[::1", "model": "m"}, "expected an address such as http://localhost:8000/v1"),
        ({"policy": "http://127.0.0.1:9/v1", "model": "m", "api-key-env": "NO_SUCH_KEY"}, "NO_SUCH_KEY: not set"),
    ],
)
def test_bad_option_is_one_line(options: dict[str, str], expected: str) -> None:
    with pytest.raises(UserError) as error:
        invoke("hello", **options)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_url_without_the_name_of_a_model_is_refused() -> None:
    result = invoke("hello", policy="http://127.0.0.1:9/v1")
    assert result.exit_code == 2
    assert "--model: expected the name of the model" in result.output


def test_ctrl_c_during_an_answer_stops_the_answer_and_at_the_prompt_the_conversation(model: Model) -> None:
    model.script = [HELLO]
    model.hold.clear()
    program = "from flows.commands.chat import chat; chat(standalone_mode=False)"
    command = [sys.executable, "-u", "-c", program, "--profile", "smoke", "--policy", model.url, "--model", "m"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdin and process.stdout
        until(process.stdout, "viewer> ")
        process.stdin.write(b"hello\n")
        process.stdin.flush()
        assert model.reached.wait(300)
        process.send_signal(signal.SIGINT)
        until(process.stdout, "stopped\nviewer> ")
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().decode().split() == ["bye"]
    assert process.returncode == 0


def until(stream: IO[bytes], words: str) -> None:
    seen = ""
    while not seen.endswith(words):
        byte = stream.read(1)
        assert byte, seen
        seen += byte.decode()
