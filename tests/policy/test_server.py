"""A policy over HTTP, tried against a real server on the loopback: what it asks, what it reads, and how it fails."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from components.errors import UserError
from components.harness.types import Completion, Conversation, JsonObject, Message, PolicyError
from components.policy import ServerPolicy
from tests.policy.conversations import HARNESS, conversation, trajectory


class Server(ThreadingHTTPServer):
    """Gives the scripted answer to every request and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: str = ""
        self.status, self.delay_s = 200, 0.0
        self.asked: list[JsonObject] = []
        self.authorization: str | None = None

    def handle_error(self, *_: Any) -> None:
        """Silent: a client that hung up is what the test of slowness wants."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.authorization = self.headers["Authorization"]
        time.sleep(self.server.delay_s)
        body = self.server.answer.encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


def completion(content: str | None, *calls: tuple[str, str], finish: str = "stop") -> str:
    tool_calls = [
        {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for i, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content, **({"tool_calls": tool_calls} if calls else {})}
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
    )


def ask(server: Server, conversation: Conversation, **options: Any) -> Completion:
    return asyncio.run(ServerPolicy(server.url, "m", retries=0, **options).complete(conversation))


def test_a_reply_is_read_with_what_it_cost(server: Server) -> None:
    server.answer = completion("It is 49.00 yuan.", finish="length")
    assert ask(server, conversation("how much?")) == Completion(Message("assistant", "It is 49.00 yuan."), 11, 7, "length")


def test_the_request_holds_the_whole_conversation_as_the_api_wants_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOM_KEY", "secret")
    server.answer = completion("ok")
    lost = Message("tool", '{"error": "the tool call is not closed"}')
    ask(server, Conversation("e", (*trajectory()[:5], lost), HARNESS.tools), api_key_env="ROOM_KEY")
    (asked,) = server.asked
    assert server.authorization == "Bearer secret"
    assert (asked["model"], asked["temperature"]) == ("m", 0.0)
    assert [tool["function"]["name"] for tool in asked["tools"]] == [tool.name for tool in HARNESS.tools]
    call = asked["messages"][2]["tool_calls"][1]
    assert json.loads(call["function"]["arguments"]) == trajectory()[2].tool_calls[1].arguments
    assert asked["messages"][4]["tool_call_id"] == call["id"]
    # An error about a call that could not be read answers no call: the API allows no tool message for it.
    assert asked["messages"][5] == {"role": "user", "content": lost.content}


def test_tool_calls_are_read_and_malformed_ones_reported(server: Server) -> None:
    server.answer = completion(
        None, ("price_lookup", '{"link_id": 3}'), ("stock_lookup", '{"link_id": '), ("item_lookup", "[3]"), ("load_skill", "")
    )
    message = ask(server, conversation("how much?")).message
    assert [(call.call_id, call.name, call.arguments) for call in message.tool_calls] == [
        ("c0", "price_lookup", {"link_id": 3}),
        ("c3", "load_skill", {}),
    ]
    assert [reason.split(":")[0] for reason in message.malformed_calls] == [
        "arguments of stock_lookup",
        "arguments of item_lookup",
    ]


def test_calls_that_the_servers_parser_left_in_the_text_are_read(server: Server) -> None:
    server.answer = completion('<tool_call>{"name": "price_lookup", "arguments": {"link_id": 3}}</tool_call><tool_call>{"na')
    message = ask(server, conversation("how much?")).message
    assert [call.name for call in message.tool_calls] == ["price_lookup"]
    assert len(message.malformed_calls) == 1


def test_a_server_that_is_too_slow_is_a_policy_error(server: Server) -> None:
    server.answer, server.delay_s = completion("late"), 1.0
    with pytest.raises(PolicyError, match="APITimeoutError"):
        ask(server, conversation("how much?"), timeout_s=0.05)


@pytest.mark.parametrize(
    ("status", "answer"), [(500, "{}"), (401, '{"error": "key"}'), (200, "<html>"), (200, '{"choices": []}'), (200, "{}")]
)
def test_refusals_and_nonsense_are_policy_errors(status: int, answer: str, server: Server) -> None:
    server.status, server.answer = status, answer
    with pytest.raises(PolicyError, match=server.url):
        ask(server, conversation("how much?"))


def test_a_server_that_is_away_is_a_policy_error(server: Server) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(PolicyError, match="APIConnectionError"):
        ask(server, conversation("how much?"))


def test_a_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOM_KEY", raising=False)
    with pytest.raises(UserError, match="ROOM_KEY"):
        ServerPolicy("http://127.0.0.1:1/v1", "m", api_key_env="ROOM_KEY")
