// The kinds of client that the panel can act as: the protocol revision, and the elicitation modes that it declares.

import type { ClientOptions } from "@modelcontextprotocol/client"

export type Capabilities = NonNullable<ClientOptions["capabilities"]>

export interface Declaration {
  readonly id: string
  readonly words: string
  readonly capabilities: Capabilities
  /** The name in the client info. The server answers “try-it-here-later” with the error -32042 instead of asking. */
  readonly name: "try-it-here" | "try-it-here-later"
}

export interface Revision {
  readonly id: string
  readonly words: string
  readonly declares: readonly Declaration[]
  readonly options: Pick<ClientOptions, "supportedProtocolVersions" | "versionNegotiation">
}

export interface Profile {
  readonly revision: Revision
  readonly declaration: Declaration
}

const name = "try-it-here"
const pagesAndForms: Declaration = {
  ...{ id: "both", words: "pages to open, and forms", name },
  capabilities: { elicitation: { form: {}, url: {} } },
}
const laterPagesAndForms: Declaration = {
  ...pagesAndForms,
  ...{ id: "later", words: "pages to open, named in the error -32042, and forms", name: "try-it-here-later" },
}
const forms: Declaration = { id: "forms", words: "forms only", name, capabilities: { elicitation: { form: {} } } }
const plain: Declaration = { id: "plain", words: "forms", name, capabilities: { elicitation: {} } }
const noElicitation: Declaration = { id: "nothing", words: "nothing", name, capabilities: {} }

const supporting = (version: string) => ({ supportedProtocolVersions: [version] })

export const revisions: readonly Revision[] = [
  {
    id: "2026-07-28",
    words: "2026-07-28",
    declares: [pagesAndForms, forms],
    options: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  },
  {
    id: "2025-11-25",
    words: "2025-11-25",
    declares: [pagesAndForms, laterPagesAndForms, forms],
    options: supporting("2025-11-25"),
  },
  { id: "2025-06-18", words: "2025-06-18", declares: [plain], options: supporting("2025-06-18") },
  { id: "none", words: "2025-11-25, cannot be asked", declares: [noElicitation], options: supporting("2025-11-25") },
]
