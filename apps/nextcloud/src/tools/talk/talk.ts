// The tools of Talk: conversations and messages.

import type { Tool } from "../../tool.ts"
import { conversationTools } from "./conversations.ts"
import { messageTools } from "./messages.ts"

export const talkTools: readonly Tool[] = [...conversationTools, ...messageTools]
