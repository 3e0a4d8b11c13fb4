// The Mail tools: accounts, mailboxes, messages, attachments and sending, by the documented API of the app.

import { accountTools } from "./accounts.ts"
import { attachmentTools } from "./attachment.ts"
import { messageTools } from "./messages.ts"
import { sendTools } from "./send.ts"

export const mailTools = [...accountTools, ...messageTools, ...attachmentTools, ...sendTools]
