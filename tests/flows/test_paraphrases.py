"""Paraphrases from a real server on the loopback reach the variants, and only those that prove true."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from components.augment import phrasings, sample_variants, schema_tasks
from components.errors import Unavailable
from components.harness import load_harness
from components.harness.types import Harness
from components.policy.params import ServerParams
from flows.paraphrases import collect_bank


class Rephraser(BaseHTTPRequestHandler):
    """Answers every request for other words: rightly where a text greets, with a lie everywhere else."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][0]["content"]
        text = asked.rpartition("\n\n")[2]
        says = re.sub("Answer greetings and chat", "Do answer greetings and the chat", text)
        if asked.startswith("Do these two texts ask for exactly the same?"):
            says = "Yes"
        elif says == text:
            says = "Do as you like."
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": says}, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture
def server() -> Iterator[ServerParams]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Rephraser) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield ServerParams(base_url=f"http://127.0.0.1:{served.server_address[1]}/v1", model="rephraser")
        served.shutdown()


@pytest.fixture(scope="module")
def base() -> Harness:
    return load_harness(Path(__file__).parents[2] / "harness")


def test_what_proves_true_is_drawn_and_a_lie_is_not(server: ServerParams, base: Harness) -> None:
    tasks = schema_tasks(base, 4, 1).tasks
    bank = collect_bank(server, base, tasks)
    assert {one.says for one in bank} == {"Do answer greetings and the chat."}
    assert phrasings(bank)["Answer greetings and chat."] == ("Do answer greetings and the chat.",)
    drawn = sample_variants(base, 12, "train", 1, 1.0, bank=bank)
    assert any("skill_content/paraphrased" in variant.transformations for variant in drawn)


def test_a_server_that_is_away_says_so_and_may_be_tried_again(base: Harness) -> None:
    away = ServerParams(base_url="http://127.0.0.1:9/v1", model="nobody")
    with pytest.raises(Unavailable, match=r"variants\.paraphrases: the server did not answer"):
        collect_bank(away, base, schema_tasks(base, 4, 1).tasks)
