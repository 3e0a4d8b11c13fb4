// Mail: accounts, mailboxes, messages and their attachments, and sending, by the API that the app documents.

import { accountTools } from "./accounts.ts"
import { attachmentTools } from "./attachment.ts"
import { messageTools } from "./messages.ts"
import { sendTools } from "./send.ts"

export const mailTools = [...accountTools, ...messageTools, ...attachmentTools, ...sendTools]
