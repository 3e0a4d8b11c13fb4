// The Talk tools: conversations and messages.

import { withOfferTest } from "../../tool.ts"
import { isOffered } from "./api.ts"
import { conversationTools } from "./conversations.ts"
import { messageTools } from "./messages.ts"

export const talkTools = withOfferTest(isOffered, [...conversationTools, ...messageTools])
