// The Talk tools: conversations and messages.

import { offeredIf } from "../../tool.ts"
import { offered } from "./api.ts"
import { conversationTools } from "./conversations.ts"
import { messageTools } from "./messages.ts"

export const talkTools = offeredIf(offered, [...conversationTools, ...messageTools])
