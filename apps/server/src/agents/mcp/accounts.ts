// The account that a call of an MCP server needs: looked for before the server is called, and asked for when it is
// missing. A call that cannot have it never reaches the server.

import type { Addresses } from "@holdpoint/sdk"
import { paths } from "@holdpoint/sdk"
import { isRefusal } from "@holdpoint/sdk/asking"
import type { ConnectionHandle, Need, Owner, Vault } from "@holdpoint/sdk/vault"
import { toOwner } from "@holdpoint/sdk/vault"
import type { McpServerConfig } from "../definition.ts"
import type { RunningRun } from "../runs.ts"
import type { RunningCall, ToolOutput } from "../tool.ts"
import { errorOutput } from "../tool.ts"
import { authenticationRequired, noPerson, notProvided } from "./words.ts"

export interface Accounts {
  /** The account that calls may use now, without asking. Makes no query when it was used before. */
  find(server: McpServerConfig, run: RunningRun, scopes?: readonly string[]): Promise<ConnectionHandle | undefined>
  /** Makes sure that the account is there. Returns what the model is told when it is not. */
  refusal(server: McpServerConfig, run: RunningRun, running: RunningCall): Promise<ToolOutput | undefined>
  /** Remembers that the person did not connect the account earlier in the same reply. */
  recall(server: McpServerConfig, run: RunningRun, output: ToolOutput): void
}

export function createAccounts({
  vault,
  addresses,
}: {
  readonly vault: Vault
  readonly addresses: Addresses
}): Accounts {
  const needOf = (server: McpServerConfig, run: RunningRun, scopes: readonly string[]): Need => ({
    ...{ owner: ownerOf(server, run), provider: server.provider ?? "", requester: { id: "agents" }, scopes },
  })
  const find: Accounts["find"] = (server, run, scopes = []) =>
    vault.find(needOf(server, run, scopes), { whenLost: "throw" })
  const account = addresses.to(paths.account)
  const serviceOf = ({ provider = "" }: McpServerConfig): string => vault.providers.get(provider)?.name ?? provider

  return {
    find,
    recall(server, run, output) {
      const words = notProvided(serviceOf(server), account)
      if (output.type === "error-text" && output.value === words) run.refusedAccounts.set(server.provider ?? "", words)
    },
    async refusal(server, run, running) {
      const { credentialScope, provider = "" } = server
      if (credentialScope === "none") return undefined
      const [tool, service] = [running.call.tool, serviceOf(server)]
      const scopes = await scopesFor(server, tool)
      if (credentialScope === "user" && !run.isPerson) return errorOutput(noPerson(tool, service))
      const known = run.refusedAccounts.get(provider)
      if (known !== undefined) return errorOutput(known)
      if (credentialScope === "project" || !run.canAsk) {
        const words = authenticationRequired(tool, service, account)
        return (await find(server, run, scopes)) === undefined ? errorOutput(words) : undefined
      }
      try {
        await running.place.ask.connection(provider, { scopes })
        return undefined
      } catch (error) {
        if (!isRefusal(error)) throw error
        const words = notProvided(service, account)
        run.refusedAccounts.set(provider, words)
        return errorOutput(words)
      }
    },
  }
}

function ownerOf({ credentialScope, project = "agents" }: McpServerConfig, { person, tenant }: RunningRun): Owner {
  return credentialScope === "project" ? { kind: "project", tenant, project } : toOwner(person)
}

const scopesFor = async ({ scopes = [] }: McpServerConfig, tool: string): Promise<readonly string[]> =>
  typeof scopes === "function" ? scopes(tool) : scopes
