// Mail: accounts, mailboxes, messages and their attachments, by the API that the app documents.

import { accountTools } from "./accounts.ts"
import { attachmentTools } from "./attachment.ts"
import { messageTools } from "./messages.ts"

export const mailTools = [...accountTools, ...messageTools, ...attachmentTools]
