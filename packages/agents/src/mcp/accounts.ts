// The accounts for calls of MCP servers and A2A agents. The account is looked up before each call, and the person is
// asked to connect a missing one. Without its account, a call is not made.

import type { Vault } from "@holdpoint/accounts"
import { isRefusal } from "@holdpoint/calls"
import type { Addresses } from "@holdpoint/hub"
import { isHoldpointError, paths } from "@holdpoint/hub"
import type { ConnectionHandle, Need, Owner } from "@holdpoint/hub/internal"
import { toOwner } from "@holdpoint/hub/internal"
import type { AccountConfig } from "../definition.ts"
import type { RunningRun } from "../runs.ts"
import type { RunningCall, ToolOutput } from "../tool.ts"
import { errorOutput } from "../tool.ts"
import { authenticationRequired, noPerson, notProvided } from "./words.ts"

export interface Accounts {
  /** The connected account for calls, without asking the person. Makes no query when the account was used before. */
  find(server: AccountConfig, run: RunningRun, scopes?: readonly string[]): Promise<ConnectionHandle | undefined>
  /**
   * Makes a call with the account. Asks for the account before the call, and again if the server rejects the account.
   */
  call(
    server: AccountConfig,
    running: RunningCall & { readonly run: RunningRun },
    work: () => Promise<ToolOutput>,
  ): Promise<ToolOutput>
  /**
   * Asks the person to connect a missing account, if they can be asked. Returns undefined when the account is
   * connected, or else the output for the model.
   */
  ensureConnected(server: AccountConfig, run: RunningRun, running: RunningCall): Promise<ToolOutput | undefined>
  /** Restores from a journaled output that the person did not connect the account earlier in this reply. */
  recall(server: AccountConfig, run: RunningRun, output: ToolOutput): void
}

export function createAccounts({
  vault,
  addresses,
}: {
  readonly vault: Vault
  readonly addresses: Addresses
}): Accounts {
  const needOf = (server: AccountConfig, run: RunningRun, scopes: readonly string[]): Need => ({
    ...{ owner: ownerOf(server, run), provider: server.provider ?? "", requester: { id: "agents" }, scopes },
  })
  const find: Accounts["find"] = (server, run, scopes = []) =>
    vault.find(needOf(server, run, scopes), { whenLost: "throw" })
  const accountUrl = addresses.to(paths.account)
  const serviceOf = ({ provider = "" }: AccountConfig): string => vault.providers.get(provider)?.name ?? provider

  const accounts: Accounts = {
    find,
    async call(server, { run, ...running }, work) {
      const refusal = await accounts.ensureConnected(server, run, running)
      if (refusal !== undefined) return refusal
      try {
        return await work()
      } catch (error) {
        if (!isConnectionLost(error)) throw error
        // Asks with the same key as before the call: after a new connection, the resumed run makes the call.
        const refusal = await accounts.ensureConnected(server, run, running)
        if (refusal === undefined) throw error
        return refusal
      }
    },
    recall(server, run, output) {
      const words = notProvided(serviceOf(server), accountUrl)
      if (output.type === "error-text" && output.value === words) run.refusedAccounts.set(server.provider ?? "", words)
    },
    async ensureConnected(server, run, running) {
      const { credentialScope, provider = "" } = server
      if (credentialScope === "none") return undefined
      const [tool, service] = [running.call.tool, serviceOf(server)]
      const scopes = await scopesFor(server, tool)
      if (credentialScope === "user" && !run.isPerson) return errorOutput(noPerson(tool, service))
      const refusal = run.refusedAccounts.get(provider)
      if (refusal !== undefined) return errorOutput(refusal)
      if (credentialScope === "project" || !run.canAsk) {
        const words = authenticationRequired(tool, service, accountUrl)
        return (await find(server, run, scopes)) === undefined ? errorOutput(words) : undefined
      }
      try {
        await running.context.ask.connection(provider, { scopes })
        return undefined
      } catch (error) {
        if (!isRefusal(error)) throw error
        const words = notProvided(service, accountUrl)
        run.refusedAccounts.set(provider, words)
        return errorOutput(words)
      }
    },
  }
  return accounts
}

/** Whether the server rejected the account, so that the call was not carried out. */
const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "connection_needed"

function ownerOf({ credentialScope, project = "agents" }: AccountConfig, { person, tenant }: RunningRun): Owner {
  return credentialScope === "project" ? { kind: "project", tenant, project } : toOwner(person)
}

const scopesFor = async ({ scopes = [] }: AccountConfig, tool: string): Promise<readonly string[]> =>
  typeof scopes === "function" ? scopes(tool) : scopes
