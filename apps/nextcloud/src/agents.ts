// The tools of a Nextcloud for agents: an MCP server in this process, used with each person's own account.

import { readFileSync } from "node:fs"
import type { McpServerConfig } from "@holdpoint/agents"
import { createMcp } from "@holdpoint/mcp"
import { createChoices } from "@holdpoint/server/identity"
import { createVaultAccounts } from "./accounts/vault.ts"
import { createPolicies } from "./policy.ts"
import { createNextcloudServer } from "./server.ts"
import { defaultToolsets, scopesOfTool } from "./tool-selection.ts"

/** Which Nextcloud, and what of it agents may use. */
export interface NextcloudToolsOptions {
  /** The URL of the Nextcloud. */
  readonly url: string
  /** The id of the Nextcloud's provider in `providers`. Default: `nextcloud`. */
  readonly provider?: string
  /** Whether to offer only read-only tools. */
  readonly readOnly?: boolean
}

/**
 * Returns an MCP server for `agents.mcpServers`: the Nextcloud tools in this process, with the account of each person.
 */
export function nextcloudTools({
  url,
  provider = "nextcloud",
  readOnly = false,
}: NextcloudToolsOptions): McpServerConfig {
  const name = "Nextcloud"
  return {
    ...{ credentialScope: "user", provider, title: name, scopes: scopesOfTool },
    mcp(site) {
      const { hub, vault, addresses, report, storage, runtime } = site
      const accounts = createVaultAccounts({ hub, vault, url, name, addresses, provider, lifetimeMs: 600_000 })
      return createMcp({
        ...site,
        ...{ name: "holdpoint-nextcloud", callers: "anonymous", accessTools: false },
        server: createNextcloudServer({
          ...{ name: "holdpoint-nextcloud", version: version(), url, accounts, report },
          policies: createPolicies({}, createChoices(storage, runtime)),
          choice: { toolsets: new Set(defaultToolsets), readOnly },
        }),
      })
    },
  }
}

/** The version of this package, as it is installed. This file is an entry, so that its place is known. */
function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown"
}
