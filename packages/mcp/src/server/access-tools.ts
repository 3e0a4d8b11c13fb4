// Tools for clients that do not support elicitation: their model requests access and checks its status.

import type { Principal } from "@holdpoint/hub"
import type { Accounts } from "@holdpoint/hub/internal"
import { toOwner } from "@holdpoint/hub/internal"
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server"
import { fromJsonSchema } from "@modelcontextprotocol/server"
import { pageWords } from "./prompt.ts"
import type { Surface } from "./surface.ts"
import { linkWords } from "./words.ts"

export function addAccessTools(server: McpServer, surface: Surface, vault: Accounts, principal: Principal): void {
  const providers = [...vault.providers.values()]
  if (providers.length === 0) return
  const inputSchema = fromJsonSchema<{ provider: string; scopes?: string[] }>({
    type: "object",
    properties: {
      provider: { type: "string", enum: providers.map(({ id }) => id), description: "Which account" },
      scopes: { type: "array", items: { type: "string" }, description: "Rights that are needed, if they are known" },
    },
    required: ["provider"],
  })
  registerUnlessDefined(() =>
    server.registerTool(
      "request_access",
      {
        title: "Ask the user for access to an account",
        description:
          "Gives a link for the user. After they have finished there, call the tool that needed the account again.",
        inputSchema,
      },
      ({ provider, scopes = [] }) => requestAccess(surface, vault, { principal, provider, scopes }),
    ),
  )
  registerUnlessDefined(() =>
    server.registerTool(
      "access_status",
      {
        title: "See which accounts the user has connected",
        description: "Lists connected accounts, and links that the user has not finished with yet.",
        annotations: { readOnlyHint: true },
      },
      () => accessStatus(surface, vault, principal),
    ),
  )
}

/** Registers a tool. Does nothing when the author has a tool of that name, for which the SDK throws. */
function registerUnlessDefined(register: () => unknown): void {
  try {
    register()
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("already registered"))) throw error
  }
}

async function requestAccess(
  { settings }: Surface,
  vault: Accounts,
  request: { readonly principal: Principal; readonly provider: string; readonly scopes: readonly string[] },
): Promise<CallToolResult> {
  const { name } = settings
  const { principal, provider, scopes } = request
  const access = { owner: toOwner(principal), provider, scopes, requester: { id: name, name } }
  if ((await vault.find(access)) !== undefined)
    return toText(
      `${vault.providers.get(provider)?.name ?? provider} is connected already. Call the tool that needs it.`,
    )
  const question = await vault.ask({ ...access, lifetimeMs: dayMs })
  if (question.mode !== "url") return toText("This account cannot be connected by a link.")
  return toText(
    linkWords([{ elicitation: question.id, message: pageWords(question, settings), url: question.url }], false),
  )
}

/** How long the person has to open the link. No call waits for the answer, so a day is possible. */
const dayMs = 24 * 60 * 60_000

async function accessStatus(
  { hub, settings }: Surface,
  vault: Accounts,
  principal: Principal,
): Promise<CallToolResult> {
  const connected = (await vault.list(toOwner(principal))).flatMap(({ provider, status, account }) => {
    const name = vault.providers.get(provider)?.name ?? provider
    if (status === "active")
      return [`- ${name}: connected${account === undefined ? "" : ` as ${account.name ?? account.id}`}`]
    return status === "needs_reauth" ? [`- ${name}: has to be connected again; use request_access`] : []
  })
  const open = await hub.list({ tenant: principal.tenant, principal, state: "open", limit: 20, order: "newest" })
  // Clients of this server must not see what other requesters ask this person.
  const ownQuestions = open.filter(({ requester }) => requester.id === settings.name)
  const links = ownQuestions.flatMap((question) =>
    question.mode === "url" ? [`- ${pageWords(question, settings)}\n  ${question.url}`] : [],
  )
  const parts = [
    connected.length === 0 ? "No account is connected." : `Accounts:\n${connected.join("\n")}`,
    links.length === 0
      ? "Nothing is waiting for the user."
      : `The user has not finished these yet:\n${links.join("\n")}`,
  ]
  return toText(parts.join("\n\n"))
}

const toText = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })
