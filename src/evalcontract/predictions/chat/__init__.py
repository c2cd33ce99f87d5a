"""Messages of chats in the shapes of the APIs and frameworks that write them, as one kind of message."""

from evalcontract.predictions.chat.messages import messages_in, said, turn_in, uses_in
from evalcontract.predictions.chat.said import Said, ToolResult

__all__ = ["Said", "ToolResult", "messages_in", "said", "turn_in", "uses_in"]
