"""What the generated prompts and their reference answers are made of: topics, requests, keywords, sentences.

Lists named by family share no entry. `{t}` stands for the topic, `{T}` for the topic with a capital letter.
"""

from __future__ import annotations

from dataclasses import dataclass

from components.data.general.types import Family


@dataclass(frozen=True)
class Subject:
    """A kind of topic: what can be asked about it, and sentences that are true enough of each."""

    topics: dict[Family, tuple[str, ...]]
    requests: dict[Family, tuple[str, ...]]
    questions: dict[Family, tuple[str, ...]]
    """To be answered by yes, no or maybe."""
    sentences: tuple[str, ...]


PURSUITS = Subject(
    topics={
        "train": (
            "beekeeping", "pottery", "weaving", "gardening", "woodcarving", "bread baking", "bird watching", "stargazing",
            "kite flying", "calligraphy", "juggling", "knitting", "canoeing", "map reading", "candle making", "fencing",
            "choir singing", "watercolour painting", "bookbinding", "mountain hiking", "cheese making", "puppetry",
            "ice skating", "archery", "sketching", "folk dancing", "basket weaving", "orchard keeping", "model building",
            "clock repair", "storytelling", "cave exploring", "lace making", "rock climbing", "soap making", "drumming",
        ),
        "eval": (
            "origami", "rowing", "glass blowing", "chess", "sailing", "embroidery", "mushroom picking", "ballet",
            "stone masonry", "photography", "tree planting", "quilting", "violin playing", "fly fishing", "yoga",
            "leather work", "mosaic making", "orienteering",
        ),
    },
    requests={
        "train": (
            "Write a short note about {t}.", "Tell me why people enjoy {t}.", "Give some advice on {t}.",
            "Describe {t} to a young child.", "Write a few lines for a poster about {t}.",
            "Say how someone could start with {t}.",
            "Make a small speech in praise of {t}.", "Help me explain {t} to my neighbour.",
        ),
        "eval": (
            "What should a newcomer know of {t}?", "Compose a brief introduction to {t}.",
            "I want to try {t} this year. What matters most?",
            "Draft a friendly letter on the joys of {t}.", "Present {t} in a handful of words.", "How would you sum up {t}?",
        ),
    },
    questions={
        "train": ("Can {t} be learnt at any age?", "Is {t} a good way to spend a weekend?", "Does {t} need a lot of money?"),
        "eval": ("Would {t} suit a shy person?", "Should schools offer {t}?"),
    },
    sentences=(
        "{T} rewards patience and a steady hand.", "Many people learn {t} from a friend.",
        "A good first step in {t} is to start small.", "With {t}, slow progress is still progress.",
        "{T} needs little more than time and care.", "Every mistake in {t} teaches something new.",
        "Old books about {t} are full of useful hints.", "After a few weeks, {t} begins to feel natural.",
        "A quiet hour is enough for some {t}.", "{T} can calm a busy mind.", "People have enjoyed {t} for many years.",
        "Good light makes {t} easier.", "{T} is best learned by doing.", "Simple tools, used well, are enough for {t}.",
        "Small groups often meet to share {t}.", "Try {t} on a rainy day.", "There is always more to find in {t}.",
        "To most of us, {t} is a pleasure.",
    ),
)  # fmt: skip

NATURE = Subject(
    topics={
        "train": (
            "rivers", "volcanoes", "owls", "glaciers", "ferns", "thunderstorms", "dolphins", "deserts", "caves", "comets",
            "meadows", "beavers", "coral reefs", "waterfalls", "mosses", "tides", "falcons", "islands", "pine forests",
            "hedgehogs", "rainbows", "earthquakes", "salmon", "moths", "canyons", "swamps", "lichens", "sea turtles",
        ),
        "eval": (
            "lakes", "eclipses", "foxes", "geysers", "orchids", "blizzards", "whales", "dunes", "meteors", "wetlands",
            "otters", "tree frogs", "fjords", "dragonflies",
        ),
    },
    requests={
        "train": (
            "Write a short note about {t}.", "Tell me something about {t}.", "Describe {t} to a young child.",
            "Write a few lines on {t} for a school wall.", "Say why {t} are worth a closer look.",
            "Give me some thoughts about {t}.",
        ),
        "eval": (
            "What makes {t} so interesting?", "Compose a brief introduction to {t}.",
            "My class is studying {t}. What could I say?",
            "Present {t} in a handful of words.", "How would you sum up {t}?",
        ),
    },
    questions={
        "train": ("Are {t} easy to find?", "Can {t} be seen from far away?", "Do {t} matter to people?"),
        "eval": ("Should everyone see {t} once?", "Would the world be poorer without {t}?"),
    },
    sentences=(
        "{T} have puzzled people for a very long time.", "No two {t} are quite the same.",
        "Careful eyes notice more about {t}.", "Children often ask about {t}.", "Books about {t} are full of good pictures.",
        "In some places, {t} are a common sight.", "{T} change with the time of the year.", "Artists like to paint {t}.",
        "Some stories give {t} a voice.", "People still learn new things about {t}.",
        "Much about {t} can be seen without any tools.", "Far from the city, {t} seem larger.",
        "A small walk may lead to {t}.", "{T} look different in the evening light.", "Old songs speak of {t}.",
        "Those who wait, quietly, see the most of {t}.", "There is always more to find out about {t}.",
    ),
)  # fmt: skip

SUBJECTS = (PURSUITS, NATURE)

KEYWORDS: dict[Family, tuple[str, ...]] = {
    "train": (
        "lantern", "bridge", "teacher", "garden", "pond", "pencil", "neighbour", "mirror", "blanket", "ladder", "drum", "kettle",
    ),
    "eval": ("window", "candle", "sister", "compass", "feather", "notebook", "village", "mountain"),
}  # fmt: skip
"""Nouns that go with `a`; no sentence above holds one."""

COMMON: dict[Family, tuple[str, ...]] = {
    "train": ("people", "time", "good", "new", "learn"),
    "eval": ("small", "old", "many", "more"),
}
"""Words that the sentences above would hold by themselves."""

OPENERS: dict[Family, tuple[str, ...]] = {
    "train": ("sometimes", "often", "today", "surely"),
    "eval": ("perhaps", "usually", "lately"),
}
"""Words that a sentence may begin with."""

ENDINGS: dict[Family, tuple[str, ...]] = {
    "train": ("That is all for today.", "Now it is your turn.", "Let me know how it goes.", "Nothing more needs saying."),
    "eval": ("So much for this.", "May it serve you well.", "The rest is up to you."),
}

KEYWORD_SENTENCES = ("A {w} may help.", "Think of a {w}.", "Picture a {w} nearby.", "Keep a {w} close.")
PLACEHOLDER_SENTENCES = (
    "Ask [name] for advice.",
    "Meet the others at [place].",
    "The best day is [date].",
    "Bring [item] along.",
)
