// What a check works with: opens clients, asks questions, and offers the target's hooks. Closes what a check leaves open.

import type { CallState, Question } from "./call-state.ts"
import { describeCallState, textOf } from "./call-state.ts"
import { block, skip } from "./check.ts"
import type { Dialogue, Line } from "./dialogue.ts"
import type { Received } from "./exchange.ts"
import { validContent } from "./form-content.ts"
import type { Json } from "./json.ts"
import type { Session } from "./legacy.ts"
import { openSession } from "./legacy.ts"
import { callModern } from "./modern.ts"
import { callLegacy } from "./push.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

export interface AskOptions {
  /** Default: both modes. */
  readonly capabilities?: Json
  readonly who?: UrlModePerson
  readonly arguments?: Json
  /** A session of an older revision; default: a new one. */
  readonly session?: Session
}

export interface AskedQuestion {
  readonly dialogue: Dialogue
  /** The first question of the wanted mode. */
  readonly question: Question
  readonly callState: Extract<CallState, { kind: "asked" }>
}

export type Mode = "url" | "form"

export interface Tools {
  readonly url?: UrlModeTool
  readonly form?: UrlModeTool
  /** How many tools were tried, and how many were not. */
  readonly tried?: number
  readonly untried?: number
}

/** What all checks of one revision share. */
export interface Setting {
  readonly revision: UrlModeRevision
  readonly tools: Tools
  readonly log: Received[]
  /** Person and mode of every question so far, of each revision and of all, to notice when the server stops asking. */
  readonly asked: Set<string>
}

/** What one check is given. */
export interface CheckContext {
  readonly target: UrlModeTarget
  readonly revision: UrlModeRevision
  readonly isModern: boolean
  readonly tools: Tools
  /** Everything that this revision's clients received so far, in all checks. */
  readonly log: readonly Received[]
  readonly quietMs: number
  readonly legMs: number
  line(who?: UrlModePerson): Line
  /** Blocks when the server refuses a session that it granted before. */
  session(options?: AskOptions): Promise<Session>
  /** The tool that asks in this mode. Skips or blocks when none is known. */
  tool(mode: Mode): UrlModeTool
  call(tool: UrlModeTool, options?: AskOptions): Promise<Dialogue>
  /** Skips when the tool does not ask in this mode; blocks when it did before. */
  askUrl(options?: AskOptions): Promise<AskedQuestion & { readonly link: string }>
  askForm(options?: AskOptions): Promise<AskedQuestion>
  contentFor(question: Question): Json
  /** Finishes the link in a browser. Skips when the target cannot. */
  finish(link: string, who?: UrlModePerson): Promise<void>
  /** Skips when there is no second person. */
  needsSecond(): void
  /** Whether the call succeeded, as after a finished question. */
  isCompleted(callState: CallState): boolean
  close(): Promise<void>
}

export const both: Json = { elicitation: { form: {}, url: {} } }
export const bare: Json = { elicitation: {} }
export const formOnly: Json = { elicitation: { form: {} } }
export const urlOnly: Json = { elicitation: { url: {} } }
export const none: Json = {}

export function createCheckContext(target: UrlModeTarget, setting: Setting): CheckContext {
  const { revision, tools, log } = setting
  const isModern = revision === "2026-07-28"
  const legMs = target.legMs ?? 60_000
  const dialogues: Dialogue[] = []
  const sessions: Session[] = []
  const capabilitiesOf = (options: AskOptions): Json =>
    options.capabilities ?? (revision === "2025-06-18" ? bare : both)

  const context: CheckContext = {
    target,
    revision,
    isModern,
    tools,
    log,
    legMs,
    quietMs: target.quietMs ?? 1_500,
    line: (who = "first") => ({ target, revision, who, log }),
    async session(options = {}) {
      const opened = await openSession(context.line(options.who), capabilitiesOf(options))
      if ("refused" in opened) return refusedSession(opened.refused, options)
      sessions.push(opened.session)
      return opened.session
    },
    tool: (mode) => tools[mode] ?? missingTool(mode, context),
    async call(tool, options = {}) {
      const called = options.arguments === undefined ? tool : { ...tool, arguments: options.arguments }
      const how = { capabilities: capabilitiesOf(options), limitMs: legMs }
      const dialogue = isModern
        ? await callModern(context.line(options.who), called, how)
        : await callLegacy(options.session ?? (await context.session(options)), called, how)
      dialogues.push(dialogue)
      return dialogue
    },
    async askUrl(options = {}) {
      const asked = await ask(context, "url", setting, options)
      return { ...asked, link: asked.question.url ?? "" }
    },
    askForm: (options = {}) => ask(context, "form", setting, options),
    contentFor: ({ params }) => target.formContent ?? validContent(params.requestedSchema),
    async finish(link, who = "first") {
      if (target.finish === undefined) skip("no command finishes a link (--finish)")
      try {
        await target.finish(link, who)
      } catch (error) {
        skip(`the link could not be finished: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    needsSecond() {
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

async function ask(context: CheckContext, mode: Mode, { asked }: Setting, options: AskOptions): Promise<AskedQuestion> {
  const tool = context.tool(mode)
  const dialogue = await context.call(tool, options)
  const { callState } = dialogue
  const question = callState.kind === "asked" ? callState.questions.find((one) => one.mode === mode) : undefined
  const whoAndMode = `${options.who ?? "first"} ${mode}`
  const here = `${context.revision} ${whoAndMode}`
  if (callState.kind === "asked" && question !== undefined) {
    asked.add(whoAndMode).add(here)
    return { dialogue, question, callState }
  }
  const gave = `it gave ${describeCallState(callState)}`
  const couldAsk = asked.has(here) || (asked.has(whoAndMode) && hasMode(context.revision, mode) && isError(callState))
  if (!couldAsk) return skip(`${tool.name} does not ask in ${mode} mode here: ${gave}`)
  if (context.isCompleted(callState))
    return skip(`${tool.name} has nothing left to ask (--reset makes it ask again): ${gave}`)
  return block(`${tool.name} asked in ${mode} mode before, but not any more: ${gave}`, limitAdvice)
}

const hasMode = (revision: UrlModeRevision, mode: Mode): boolean => mode === "form" || revision !== "2025-06-18"

/** On a revision of which nothing is known yet, a result or a question in another mode is the server's choice. */
const isError = (callState: CallState): boolean =>
  callState.kind === "refused" || (callState.kind === "done" && callState.result.isError === true)

const limitAdvice =
  "The server stopped asking, probably at a limit. Allow about fifty open questions for one person, or name a " +
  "command with --reset that makes it forget them."

/** A client with the default capabilities has had a session before. */
function refusedSession(what: string, { capabilities, who = "first" }: AskOptions): never {
  const why = `the server opens no session: it ${what}`
  if (capabilities !== undefined || who !== "first") return skip(why)
  return block(why, "The server stopped opening sessions, probably at a limit. Allow about a hundred.")
}

function missingTool(mode: Mode, { target, tools }: CheckContext): never {
  const isNamed = target.urlTool !== undefined || target.formTool !== undefined
  if (mode === "form") return skip("no tool is known that asks in form mode (--form-tool)")
  if (isNamed) return skip("no tool is known that asks in url mode (--tool)")
  const { tried = 0, untried = 0 } = tools
  const more = untried > 0 ? `, and ${untried} more were not tried` : ""
  return block(
    tried === 0 ? "every tool needs arguments" : `of ${tried} tools that were tried, none asks in url mode${more}`,
    "Name a tool that asks in url mode with --tool, and its arguments with --args. If the server asks by form only, name " +
      "one with --form-tool.",
  )
}
