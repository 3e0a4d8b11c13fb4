// The options of the MCP server, the same on stdio and over HTTP.

import type { McpOptions } from "@holdpoint/mcp"
import type { Accounts } from "@holdpoint/nextcloud"
import { createNextcloudServer, createPolicies, draftWords } from "@holdpoint/nextcloud"
import type { PageChoices } from "@holdpoint/server/http"
import { version } from "../version.ts"
import type { Plan } from "./plan.ts"

interface McpParts {
  readonly accounts: Accounts
  readonly choices: PageChoices
  readonly report: (activity: string, error: unknown) => void
}

export function toMcpOptions(
  { nextcloud }: Plan,
  { accounts, choices, report }: McpParts,
): Pick<McpOptions, "name" | "lifetimeMs" | "accessTools" | "server" | "urlWay" | "drafts"> {
  const { name, url, lifetimeMs, confirm, toolsets, readOnly, urlWay, drafts } = nextcloud
  return {
    ...{ name, lifetimeMs, accessTools: false, urlWay, drafts: drafts && { message: draftWords } },
    server: createNextcloudServer({
      ...{ name: "holdpoint-nextcloud", version: version(), url, accounts, report },
      policies: createPolicies(confirm, choices.kept),
      choice: { toolsets, readOnly },
    }),
  }
}
