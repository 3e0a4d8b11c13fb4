// The section `nextcloud` of holdpoint.config.ts: its members and their kinds.

import type { OwnAccountRule } from "@holdpoint/hub/internal"
import type { UrlWay } from "@holdpoint/mcp"
import type { Policy } from "@holdpoint/nextcloud"
import { assertSection, type Fields, number, object, text, texts, yesNo } from "../section.ts"

export interface NextcloudConfig {
  /** The URL of your Nextcloud, with its path if it has one. */
  readonly host?: string
  /** Which tools are offered: names of toolsets, “default” or “all”. */
  readonly tools?: readonly string[]
  readonly readOnly?: boolean
  /** Confirmation before something is removed: by tool, by toolset, or “*”; each never, once or always. */
  readonly confirm?: Readonly<Record<string, Policy>>
  /** The name of this server in the texts that people read. */
  readonly name?: string
  readonly offlineAccess?: boolean
  /** A client of Nextcloud's built-in OAuth 2 app, which is used instead of the login flow. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string }
  /** A client of an OpenID Connect provider: Nextcloud's own, or the one that people sign in with. */
  readonly oidc?: { readonly clientId: string; readonly clientSecret?: string; readonly discoveryUrl?: string }
  /** Pass-through: the audience of Nextcloud's tokens, as the provider names it. Default: Nextcloud's address. */
  readonly audience?: string
  /**
   * Pass-through: forward the caller's own token. MCP forbids it; only for tokens whose audience names both servers.
   */
  readonly handOnTokens?: boolean
  /** How long a person may take to answer. */
  readonly timeoutSeconds?: number
  /**
   * Whose account a signed-in person may connect by login flow. Default: only one that is shown to be their own
   * (`required`).
   */
  readonly ownAccount?: OwnAccountRule
  /** How clients of 2025-11-25 are sent to a page: by a request during the call (`push`), or by the error -32042. */
  readonly urlWay?: UrlWay
  /** Whether the error -32042 is sent as the drafts of url mode defined it, for clients of these drafts. */
  readonly drafts?: boolean
}

const fields: Fields = {
  host: text,
  tools: texts,
  readOnly: yesNo,
  /** Its members are checked later, against the known toolsets and tools. */
  confirm: object,
  name: text,
  offlineAccess: yesNo,
  oauth: { ...object, fields: { clientId: text, clientSecret: text } },
  oidc: { ...object, fields: { clientId: text, clientSecret: text, discoveryUrl: text } },
  audience: text,
  handOnTokens: yesNo,
  timeoutSeconds: number,
  /** Checked later, together with the value of the environment variable. */
  ownAccount: text,
  urlWay: text,
  drafts: yesNo,
}

/** Returns the section if it is valid. Errors never repeat a value, because some are secrets. */
export function readSection(section: Readonly<Record<string, unknown>>): NextcloudConfig {
  assertSection(section, { name: "nextcloud", fields, refusal: "The settings for Nextcloud cannot be used." })
  return section
}
