"""One scripted episode (look up the price, look up the stock, reply) in this project's loop and in its peers.

Every runner gets the same two tools with the same schemas over the same dictionary and the same script: two turns with a
call each, then the reply. None of them waits for anything, so what is measured is the framework's own work. Ours also
loads a skill, for it may not reply without one: a turn more, and counted as one.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

FACTS = {"price_lookup": {"link_id": 3, "price": "49.00"}, "stock_lookup": {"link_id": 3, "units": 12}}
QUESTION = "how much is link 3, and how many are left?"
REPLY = "It is 49.00 yuan, and 12 are left."
SCRIPT = (("price_lookup", {"link_id": 3}), ("stock_lookup", {"link_id": 3}))

Runner = Callable[[], Awaitable[str]]
"""Runs one episode and returns what was replied."""


def ours() -> tuple[Runner, int]:
    """`AgentLoop` over the project's own harness with all its hooks. Returns the runner and the turns of an episode."""
    from components.harness import AgentLoop, load_harness
    from components.harness.types import Completion, Conversation, JsonObject, Message, Request, ToolCall

    class Room:
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            return FACTS[implementation]

    script = (("load_skill", {"skill": "price-qa"}), *SCRIPT)

    class Scripted:
        name = "scripted"

        async def complete(self, conversation: Conversation) -> Completion:
            turn = sum(message.role == "assistant" for message in conversation.messages)
            if turn < len(script):
                name, arguments = script[turn]
                return Completion(Message("assistant", "", (ToolCall("", name, arguments),)))
            return Completion(Message("assistant", REPLY))

    loop = AgentLoop(load_harness(Path(__file__).parents[1] / "harness"))
    request = Request("r", "room", (QUESTION,), 1, ((1, "Willow Mug"), (2, "Ember Lamp"), (3, "Maple Scarf")))
    room, policy = Room(), Scripted()

    async def run() -> str:
        return (await loop.run(request, room, policy, "episode")).reply

    return run, len(script) + 1


def inspect_ai() -> tuple[Runner, int]:
    """inspect_ai: `Model.generate_loop`, its plainest agent loop, on its own mock model."""
    from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, ModelOutput, ModelUsage, get_model
    from inspect_ai.tool import Tool, ToolChoice, ToolInfo, tool

    @tool
    def price_lookup() -> Tool:
        async def execute(link_id: int) -> str:
            """Price, coupon and price after coupon of one piece.

            Args:
                link_id: Link number of the item.
            """
            return json.dumps(FACTS["price_lookup"])

        return execute

    @tool
    def stock_lookup() -> Tool:
        async def execute(link_id: int) -> str:
            """Units left in stock.

            Args:
                link_id: Link number of the item.
            """
            return json.dumps(FACTS["stock_lookup"])

        return execute

    def scripted(messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig) -> ModelOutput:
        turn = sum(message.role == "assistant" for message in messages)
        said = turn < len(SCRIPT) and ModelOutput.for_tool_call("mockllm", *SCRIPT[turn])
        output = said or ModelOutput.from_content("mockllm", REPLY)
        # Without a count of its own the mock model would load a tokenizer and count, which no real server's client does.
        output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
        return output

    model = get_model("mockllm/model", custom_outputs=scripted, memoize=False)
    tools = [price_lookup(), stock_lookup()]

    async def run() -> str:
        _, output = await model.generate_loop([ChatMessageUser(content=QUESTION)], tools=tools)
        return output.completion

    return run, len(SCRIPT) + 1


def pydantic_ai() -> tuple[Runner, int]:
    """pydantic-ai: an `Agent` on its own `FunctionModel`."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = sum(isinstance(message, ModelResponse) for message in messages)
        if turn < len(SCRIPT):
            return ModelResponse(parts=[ToolCallPart(*SCRIPT[turn])])
        return ModelResponse(parts=[TextPart(REPLY)])

    agent = Agent(FunctionModel(scripted))

    @agent.tool_plain
    async def price_lookup(link_id: int) -> str:
        """Price, coupon and price after coupon of one piece."""
        return json.dumps(FACTS["price_lookup"])

    @agent.tool_plain
    async def stock_lookup(link_id: int) -> str:
        """Units left in stock."""
        return json.dumps(FACTS["stock_lookup"])

    async def run() -> str:
        return (await agent.run(QUESTION)).output

    return run, len(SCRIPT) + 1


FRAMEWORKS = {"this project": ours, "inspect_ai": inspect_ai, "pydantic-ai": pydantic_ai}
