"""Who answers a conversation: a local model, any OpenAI-compatible server, or the scripted expert.

Also the one place where a conversation becomes tokens, and where base models come from. Heavy libraries load on use.
"""

from components.policy.base_models import check_model, prepare_base
from components.policy.local import LocalPolicy
from components.policy.server import ServerPolicy

__all__ = ["LocalPolicy", "ServerPolicy", "check_model", "prepare_base"]
