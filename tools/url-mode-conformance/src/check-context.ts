// The context of a check: opens clients, asks questions and runs the target's hooks. After the check, it closes every
// call and session that is still open.

import type { CallState, Question } from "./call-state.ts"
import { describeCallState, textOf } from "./call-state.ts"
import { block, skip } from "./check.ts"
import type { Client, ToolCall } from "./dialogue.ts"
import type { ReceivedMessage } from "./exchange.ts"
import { validContent } from "./form-content.ts"
import type { Json } from "./json.ts"
import { callLegacy } from "./legacy-call.ts"
import type { Session } from "./legacy-session.ts"
import { openSession } from "./legacy-session.ts"
import { callModern } from "./modern-client.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

export interface AskOptions {
  /** The client's capabilities. Default: every mode that the revision has. */
  readonly capabilities?: Json
  readonly person?: UrlModePerson
  readonly arguments?: Json
  /** The session in which the tool is called, in the older revisions. Default: a new session. */
  readonly session?: Session
}

export interface AskedQuestion {
  readonly dialogue: ToolCall
  /** The call's first question in the requested mode. */
  readonly question: Question
  readonly callState: Extract<CallState, { kind: "asked" }>
}

export type Mode = "url" | "form"

export interface Tools {
  readonly url?: UrlModeTool
  readonly form?: UrlModeTool
  /** The number of tools that discovery called, and of those that it left out. */
  readonly triedCount?: number
  readonly untriedCount?: number
}

/** The data that all checks of one revision share. */
export interface SharedContext {
  readonly revision: UrlModeRevision
  readonly tools: Tools
  readonly log: ReceivedMessage[]
  /** `person mode` and `revision person mode` of every question so far. They show when the server stops asking. */
  readonly askedKeys: Set<string>
}

/** What a check works with: the argument of `UrlModeCheck.run`. */
export interface CheckContext {
  readonly target: UrlModeTarget
  readonly revision: UrlModeRevision
  readonly isModern: boolean
  readonly tools: Tools
  /** Everything that this revision's clients received so far, in all checks. */
  readonly log: readonly ReceivedMessage[]
  readonly quietMs: number
  readonly legMs: number
  client(person?: UrlModePerson): Client
  /** Opens a session. If the server refuses, blocks the check for the default client, and skips it for any other. */
  session(options?: AskOptions): Promise<Session>
  /** The tool that asks in this mode. Skips or blocks the check when there is no such tool. */
  tool(mode: Mode): UrlModeTool
  call(tool: UrlModeTool, options?: AskOptions): Promise<ToolCall>
  /** Calls the url tool. Skips the check when the tool does not ask in url mode; blocks when it asked before. */
  askUrl(options?: AskOptions): Promise<AskedQuestion & { readonly link: string }>
  askForm(options?: AskOptions): Promise<AskedQuestion>
  contentFor(question: Question): Json
  /** Finishes the link in a browser. Skips the check when the target has no hook for it, or the hook fails. */
  finish(link: string, person?: UrlModePerson): Promise<void>
  /** Skips the check when the target has no second person. */
  requireSecondPerson(): void
  /** Whether the call returned the result that only a finished question allows. */
  isCompleted(callState: CallState): boolean
  close(): Promise<void>
}

export const bothModes: Json = { elicitation: { form: {}, url: {} } }
export const emptyElicitation: Json = { elicitation: {} }
export const formOnly: Json = { elicitation: { form: {} } }
export const urlOnly: Json = { elicitation: { url: {} } }
export const noCapabilities: Json = {}

export function createCheckContext(target: UrlModeTarget, sharedContext: SharedContext): CheckContext {
  const { revision, tools, log } = sharedContext
  const isModern = revision === "2026-07-28"
  const legMs = target.legMs ?? 60_000
  const dialogues: ToolCall[] = []
  const sessions: Session[] = []
  const capabilitiesOf = (options: AskOptions): Json =>
    options.capabilities ?? (revision === "2025-06-18" ? emptyElicitation : bothModes)

  const context: CheckContext = {
    target,
    revision,
    isModern,
    tools,
    log,
    legMs,
    quietMs: target.quietMs ?? 1_500,
    client: (person = "first") => ({ target, revision, person, log }),
    async session(options = {}) {
      const sessionResult = await openSession(context.client(options.person), capabilitiesOf(options))
      if ("refusal" in sessionResult) return endWithoutSession(sessionResult.refusal, options)
      sessions.push(sessionResult.session)
      return sessionResult.session
    },
    tool: (mode) => tools[mode] ?? endWithoutTool(mode, context),
    async call(tool, options = {}) {
      const toolCall = options.arguments === undefined ? tool : { ...tool, arguments: options.arguments }
      const callOptions = { capabilities: capabilitiesOf(options), limitMs: legMs }
      const dialogue = isModern
        ? await callModern(context.client(options.person), toolCall, callOptions)
        : await callLegacy(options.session ?? (await context.session(options)), toolCall, callOptions)
      dialogues.push(dialogue)
      return dialogue
    },
    async askUrl(options = {}) {
      const askedQuestion = await askQuestion(context, "url", sharedContext, options)
      return { ...askedQuestion, link: askedQuestion.question.url ?? "" }
    },
    askForm: (options = {}) => askQuestion(context, "form", sharedContext, options),
    contentFor: ({ params }) => target.formContent ?? validContent(params.requestedSchema),
    async finish(link, person = "first") {
      if (target.finish === undefined) skip("no command is known that finishes a link (--finish)")
      try {
        await target.finish(link, person)
      } catch (error) {
        skip(`the link could not be finished: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    requireSecondPerson() {
      if (target.people?.second === undefined) skip("no second person is known (--second-token)")
    },
    isCompleted: (callState) =>
      callState.kind === "done" &&
      callState.result.isError !== true &&
      (target.done === undefined || textOf(callState.result).includes(target.done)),
    async close() {
      for (const dialogue of dialogues.splice(0)) await dialogue.close().catch(() => undefined)
      for (const session of sessions.splice(0)) await session.close().catch(() => undefined)
    },
  }
  return context
}

async function askQuestion(
  context: CheckContext,
  mode: Mode,
  { askedKeys }: SharedContext,
  options: AskOptions,
): Promise<AskedQuestion> {
  const tool = context.tool(mode)
  const dialogue = await context.call(tool, options)
  const { callState } = dialogue
  const question =
    callState.kind === "asked" ? callState.questions.find((candidate) => candidate.mode === mode) : undefined
  const personAndMode = `${options.person ?? "first"} ${mode}`
  const revisionKey = `${context.revision} ${personAndMode}`
  if (callState.kind === "asked" && question !== undefined) {
    askedKeys.add(personAndMode).add(revisionKey)
    return { dialogue, question, callState }
  }
  const observation = `it gave ${describeCallState(callState)}`
  const couldAsk =
    askedKeys.has(revisionKey) ||
    (askedKeys.has(personAndMode) && hasMode(context.revision, mode) && isError(callState))
  if (!couldAsk) return skip(`${tool.name} does not ask in ${mode} mode here: ${observation}`)
  if (context.isCompleted(callState))
    return skip(`${tool.name} has nothing left to ask (--reset makes it ask again): ${observation}`)
  return block(`${tool.name} asked in ${mode} mode before, but not any more: ${observation}`, limitAdvice)
}

const hasMode = (revision: UrlModeRevision, mode: Mode): boolean => mode === "form" || revision !== "2025-06-18"

/** In a revision where the tool has not asked yet, only an error shows that the server stopped asking. */
const isError = (callState: CallState): boolean =>
  callState.kind === "refused" || (callState.kind === "done" && callState.result.isError === true)

const limitAdvice =
  "The server stopped asking, probably at a limit. Allow about fifty open questions for one person, or name a " +
  "command with --reset that makes it forget them."

/** Blocks the check for the default client, which got a session before; skips it for any other client. */
function endWithoutSession(refusal: string, { capabilities, person = "first" }: AskOptions): never {
  const reason = `the server opens no session: it ${refusal}`
  if (capabilities !== undefined || person !== "first") return skip(reason)
  return block(reason, "The server stopped opening sessions, probably at a limit. Allow about a hundred.")
}

function endWithoutTool(mode: Mode, { target, tools }: CheckContext): never {
  const isNamed = target.urlTool !== undefined || target.formTool !== undefined
  if (mode === "form") return skip("no tool is known that asks in form mode (--form-tool)")
  if (isNamed) return skip("no tool is known that asks in url mode (--tool)")
  const { triedCount = 0, untriedCount = 0 } = tools
  const untriedText = untriedCount > 0 ? `, and ${untriedCount} more were not tried` : ""
  return block(
    triedCount === 0
      ? "every tool needs arguments"
      : `of ${triedCount} tools that were tried, none asks in url mode${untriedText}`,
    "Name a tool that asks in url mode with --tool, and its arguments with --args. If the server asks by form only, name " +
      "one with --form-tool.",
  )
}
