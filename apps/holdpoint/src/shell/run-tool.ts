// `holdpoint shell run NAME`: calls one tool with an MCP client in this process, asks in the terminal, and prints the
// result.

import { randomUUID } from "node:crypto"
import type { Hub, Principal } from "@holdpoint/hub"
import { inbox } from "@holdpoint/hub"
import { inspectTools } from "@holdpoint/shell"
import { createTerminalOutlet, plainLines } from "@holdpoint/terminal"
import type { CallToolResult } from "@modelcontextprotocol/client"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import type { Call, ExitCode } from "../command.ts"
import { isInteractive, promptGone } from "../io.ts"
import { dim } from "../output.ts"
import { withLocal } from "../serve/local.ts"
import { toLocalPlan, toOptions } from "../serve/local-options.ts"
import { version } from "../version.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"
import { createScriptsMcp } from "./parts.ts"
import { type Plan, readPlan } from "./plan.ts"
import { problemLine } from "./problem-line.ts"
import { portInUseHint } from "./stdio.ts"
import { readToolArguments } from "./tool-arguments.ts"

export async function runTool(call: Call): Promise<ExitCode> {
  const { args } = call
  const plan = await readPlan(call, args.one("dir"))
  const name = args.words[0] ?? ""
  assertTool(plan, name)
  const toolArguments = await readToolArguments(call)
  let result: CallToolResult | undefined
  await withLocal(call, toLocalPlan(plan, portInUseHint), async ({ compose }) => {
    const { tenant, subject } = plan.settings.me
    const localPrincipal = { tenant, issuer: "local", subject }
    const options = toOptions(plan)
    const outlets = (hub: Hub) => [inbox(), ...(isInteractive(call.io) ? [terminalFor(call, hub, localPrincipal)] : [])]
    const holdpoint = await compose({ ...options, hub: { ...options.hub, outlets } })
    // Only the terminal asks questions: without a terminal, the script learns that it cannot ask.
    const core = { ...holdpoint, callers: { local: localPrincipal }, instance: randomUUID() }
    const mcp = createScriptsMcp(call, { ...plan, hasPages: false }, core)
    try {
      result = await callHere(call, mcp, { name, arguments: toolArguments })
    } finally {
      await mcp.close()
    }
  })
  await promptGone()
  return result === undefined ? 1 : printResult(call, result)
}

function assertTool({ folder }: Plan, name: string): void {
  const { tools, problems } = inspectTools(folder)
  if (tools.some((tool) => tool.name === name)) return
  const names = tools.map((tool) => tool.name)
  const toolProblems = problems.filter(({ path }) => path.split("/").includes(name))
  if (toolProblems.length > 0)
    throw wrongUse(`The tool “${name}” cannot be used.`, toolProblems.map(problemLine).join("\n"))
  const toolNames = names.length === 0 ? `There are no tools in ${folder}.` : `There are ${names.join(", ")}.`
  throw wrongUse(`There is no tool “${name}”.`, didYouMean(name, names, toolNames))
}

function terminalFor({ io, out }: Call, hub: Hub, as: Principal) {
  const { stdin: input, stderr: output, runtime } = io
  out.clearProgress()
  return createTerminalOutlet({ as, hub, input, output, now: runtime.now })
}

/**
 * Calls the tool. The client declares elicitation if there is a terminal, which shows the questions and answers at the
 * hub.
 */
async function callHere(
  { io, out }: Call,
  mcp: ReturnType<typeof createScriptsMcp>,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
): Promise<CallToolResult> {
  const canAsk = isInteractive(io)
  const client = new Client(
    { name: "holdpoint shell run", version: version() },
    { capabilities: canAsk ? { elicitation: { form: {}, url: {} } } : {} },
  )
  if (canAsk) client.setRequestHandler("elicitation/create", (_request, { mcpReq }) => settledElsewhere(mcpReq.signal))
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) =>
    out.note(dim(`${level}: ${typeof data === "string" ? data : JSON.stringify(data)}`)),
  )
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair()
  const connection = mcp.stdio({ transport: serverEnd })
  try {
    await client.connect(clientEnd)
    return await client.callTool(params, {
      signal: io.signal,
      timeout: longestMs,
      // Progress without a total is the notice of the server that a question is open, which the terminal already shows.
      onprogress({ progress, total, message = "" }) {
        if (total !== undefined) out.note(dim(`${Math.round((progress / total) * 100)} % ${message}`.trimEnd()))
      },
    })
  } finally {
    await client.close()
    await connection.close()
  }
}

const longestMs = 2 ** 31 - 1

/** Never answers: the request is withdrawn when the person has answered in the terminal. */
const settledElsewhere = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }))

function printResult({ out, args }: Call, result: CallToolResult): ExitCode {
  const isError = result.isError === true
  if (args.has("json")) out.json(result)
  else
    for (const line of result.content.flatMap((block) => plainLines(wordsOf(block))))
      (isError ? out.note : out.say)(line)
  return isError ? 1 : 0
}

function wordsOf(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
      return `[${block.type}, ${block.mimeType}]`
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}]`
    case "resource_link":
      return `[${block.uri}]`
  }
}
