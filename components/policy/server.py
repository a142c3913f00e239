"""Any OpenAI-compatible server (vLLM, a hosted API) as a policy."""

from __future__ import annotations

import json
import os
from typing import Any, Literal

from components.errors import UserError
from components.harness.messages import parse_assistant, to_openai, tools_to_openai
from components.harness.types import Completion, Conversation, JsonObject, Message, PolicyError, ToolCall


class ServerPolicy:
    """Greedy answers over HTTP. Use one instance in one event loop: its connections belong to that loop."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key_env: str = "",
        max_new_tokens: int = 512,
        timeout_s: float = 60.0,
        retries: int = 2,
        name: str = "",
    ) -> None:
        """`api_key_env` names the environment variable that holds the key (empty: the server wants none).

        `retries` are for connections that fail and for servers that say "later"; each try may take `timeout_s` seconds.
        Raises UserError if the variable isn't set.
        """
        from openai import AsyncOpenAI

        if api_key_env and not os.environ.get(api_key_env):
            raise UserError(f"environment variable {api_key_env}: not set; expected the key for {base_url}; export it first")
        key = os.environ[api_key_env] if api_key_env else "none"
        self.name = name or model
        self._model, self._max_new_tokens = model, max_new_tokens
        self._client = AsyncOpenAI(base_url=base_url, api_key=key, timeout=timeout_s, max_retries=retries)

    async def complete(self, conversation: Conversation) -> Completion:
        """Ask for the next message. Raises PolicyError if the server is away, too slow, refuses, or answers nonsense."""
        from openai import OpenAIError

        try:
            response = await self._client.chat.completions.create(
                model=self._model, temperature=0.0, max_tokens=self._max_new_tokens, **_request(conversation)
            )
            choice = response.choices[0]
            message = _read(choice.message.content or "", choice.message.tool_calls or [])
        except OpenAIError as error:
            raise PolicyError(f"{self._client.base_url}: {type(error).__name__}: {error}") from error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise PolicyError(f"{self._client.base_url}: not a chat completion ({type(error).__name__}: {error})") from error
        usage = response.usage
        finish: Literal["stop", "length"] = "length" if choice.finish_reason == "length" else "stop"
        return Completion(message, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0, finish)


def _request(conversation: Conversation) -> dict[str, Any]:
    """Messages and tools as the API wants them: arguments as JSON text, and no tool result without a call that it answers."""
    messages = to_openai(conversation.messages)
    for message in messages:
        if message["role"] == "tool" and not message["tool_call_id"]:
            message.update(role="user")
            del message["tool_call_id"], message["name"]
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    tools: list[JsonObject] = tools_to_openai(conversation.tools)
    return {"messages": messages, "tools": tools} if tools else {"messages": messages}


def _read(content: str, calls: list[Any]) -> Message:
    """A server's message; calls that its own parser left in the text, or whose arguments aren't an object, are reported."""
    message = parse_assistant(content)
    good, malformed = list(message.tool_calls), list(message.malformed_calls)
    for call in calls:
        try:
            arguments = json.loads(call.function.arguments or "{}")
        except ValueError:
            arguments = None
        if isinstance(arguments, dict):
            good.append(ToolCall(call.id or "", call.function.name, arguments))
        else:
            malformed.append(f"arguments of {call.function.name}: expected a JSON object, found {call.function.arguments}")
    return Message("assistant", message.content, tuple(good), malformed_calls=tuple(malformed))
