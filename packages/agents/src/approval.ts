// Approvals: a person allows one exact call, or says why not. An approval is bound to a digest of the call, so that it
// never covers another call. Where the policy allows it, the person may edit the arguments.

import { createHash } from "node:crypto"
import type { Ask } from "@holdpoint/calls"
import { isRefusal } from "@holdpoint/calls"
import { choice, form, text } from "@holdpoint/hub"
import { actWordsOf } from "@holdpoint/hub/forms"
import { readArguments } from "./arguments.ts"
import type { ToolPolicy } from "./definition.ts"
import type { ToolCall } from "./model-step.ts"
import { argumentsJson, escapeInvisible, showArguments } from "./shown-arguments.ts"
import type { Tool, ToolOutput } from "./tool.ts"

/** The prefix of the keys of questions that ask a person to allow a tool call. */
export const approvalKey = "approval "

/** Whether a person has to allow each call of a tool with this policy. */
export const needsApproval = (policy: ToolPolicy): boolean => policy === "ask" || typeof policy === "object"

export interface ApprovalRequest {
  readonly ask: Ask
  readonly call: ToolCall
  /** The display name of the agent that wants to make the call. */
  readonly asker: string
  readonly tool: Pick<Tool, "policy" | "inputSchema" | "origin">
}

/** The call that the person allowed, or the output for the model after a refusal. */
export type Approval =
  | { readonly allowed: ToolCall; readonly edit?: ArgumentEdit }
  | { readonly refused: Extract<ToolOutput, { type: "execution-denied" }> }

/**
 * How the person edited the arguments. Only the names are recorded in the trail: the values are for the tool and the
 * model.
 */
export interface ArgumentEdit {
  /** The key of the question in which the person edited the arguments. */
  readonly key: string
  readonly names: readonly string[]
}

export async function approvalOf(request: ApprovalRequest): Promise<Approval> {
  const { call, tool } = request
  const whole = argumentsJson(call.input)
  if (whole.length > mostCharacters) return toDenied(tooLongWords(whole.length))
  const isEditable = typeof tool.policy === "object" && whole.length <= mostEditable
  try {
    return isEditable ? await askEditable(request, whole) : await askPlain(request)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.outcome !== "declined") return toDenied(error.message)
    const reason = error.reason?.message
    return toDenied(reason === undefined ? notAllowed : `${notAllowed} They said: ${reason}`)
  }
}

const notAllowed = "The user was asked and did not allow this call."
const noRepeatAdvice = "Do not call it again for the same thing unless the user asks for it."

const toDenied = (words: string): Approval => ({
  refused: { type: "execution-denied", reason: `${/[.!?]$/.test(words) ? words : `${words}.`} ${noRepeatAdvice}` },
})

/** The result of a call that was refused earlier in the same reply. */
export const refusedBefore: ToolOutput = {
  type: "execution-denied",
  reason: `The user was already asked about this call and did not allow it. They were not asked again. ${noRepeatAdvice}`,
}

/** The labels of the two answers, from the tool's name: “Delete note” and “Do not delete” for `notes_delete_note`. */
export function answerLabelsFor(tool: string): { readonly yes: string; readonly no: string } {
  // Tools of other parties may have names without end; their endings would be as many texts.
  if (tool.length > longestName) return useOf(tool)
  const spaced = tool.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase()
  const words = spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
  // The labels omit the words before the action, such as the name of a server: the message has the tool's whole name.
  const endings = words.map((_word, at) => words.slice(at)).filter((ending, at) => at === 0 || ending.length > 1)
  const [named] = endings.flatMap((ending) => actWordsOf(ending.join(" ")) ?? [])
  return named ?? useOf(words.join(" ") || tool)
}

const longestLabel = 60
const longestName = 500

const useOf = (name: string): { readonly yes: string; readonly no: string } => ({
  yes: `Use ${name}`.slice(0, longestLabel),
  no: "Do not use it",
})

async function askPlain({ ask, call, asker }: ApprovalRequest): Promise<Approval> {
  const key = `${approvalKey}${digestOf(call)}`
  const { message, detail } = wordingFor(call, asker)
  return (await ask.confirm(key, message, { ...answerLabelsFor(call.tool), detail }))
    ? { allowed: call }
    : toDenied(notAllowed)
}

/** Asks with a form for the arguments. Asks again, with the problem, when they do not match the tool's schema. */
async function askEditable({ ask, call, asker, tool }: ApprovalRequest, whole: string): Promise<Approval> {
  let [text, problem]: [string, string | undefined] = [whole, undefined]
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const key = `${approvalKey}${digestOf(call)}${attempt === 1 ? "" : ` ${attempt}`}`
    const about = problem === undefined ? "" : `The edited arguments cannot be used: ${problemWords(problem)}\n`
    const { message, detail } = wordingFor(call, asker)
    const content = await ask.form(key, `${about}${message}`, editForm(call, text), { detail })
    if (content.confirmed !== "yes") return toDenied(notAllowed)
    text = content.arguments ?? whole
    const read = await readArguments(tool, text)
    if ("input" in read) return toAllowed(call, { key, input: read.input })
    problem = read.problem
  }
  return toDenied(`The user edited the arguments ${mostAttempts} times, and they were still not valid: ${problem}`)
}

const mostAttempts = 3

/** The maximum length of arguments that a form can edit, in characters. */
const mostEditable = 20_000

const editForm = (call: ToolCall, whole: string) =>
  form(
    {
      confirmed: choice(answerLabelsFor(call.tool), { title: "Your answer" }),
      arguments: text({
        title: "Arguments",
        // Part of the question's digest, like all texts of a form: another text would end every open approval.
        description: "JSON. Change them if the call should differ.",
        default: whole,
      }),
    },
    { optional: ["arguments"] },
  )

function toAllowed(call: ToolCall, { key, input }: { readonly key: string; readonly input: unknown }): Approval {
  const names = editedNames(call.input, input)
  return names.length === 0 ? { allowed: call } : { allowed: { ...call, input }, edit: { key, names } }
}

function editedNames(oldInput: unknown, newInput: unknown): readonly string[] {
  const [oldMembers, newMembers] = [membersOf(oldInput), membersOf(newInput)]
  const names = new Set([...oldMembers.keys(), ...newMembers.keys()])
  return [...names].filter((name) => oldMembers.get(name) !== newMembers.get(name))
}

const membersOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(Object.entries((value ?? {}) as object).map(([name, one]) => [name, JSON.stringify(one)]))

/** Adds to the result that the person edited the arguments, so that the model knows which call was made. */
export function tellEdit(output: ToolOutput, { input }: ToolCall): ToolOutput {
  const note = `The user edited the arguments. The call was made with ${JSON.stringify(input)}.`
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: `${note}\n${output.value}` }
    case "json":
      return { type: "text", value: `${note}\n${JSON.stringify(output.value)}` }
    default:
      return output
  }
}

/** The digest that binds an approval to the exact call: the message may leave out the middle of long arguments. */
const digestOf = ({ id, tool, input }: ToolCall): string =>
  createHash("sha256")
    .update(JSON.stringify([id, tool, input]))
    .digest("base64url")
    .slice(0, 22)

/**
 * The message of an approval. If it has to leave out a part of the arguments, the detail has all of them, and a Yes
 * counts only on the page that shows the detail.
 */
function wordingFor({ tool, input }: ToolCall, asker: string): { readonly message: string; readonly detail?: string } {
  const { text, isWhole } = showArguments(input, mostShown)
  const wants = `${asker} wants to run “${tool}” with:\n`
  if (isWhole) return { message: `${wants}${text}` }
  return { message: `${wants}${text}\n${shortenedWords}`, detail: `${wants}${argumentsJson(input)}` }
}

const shortenedWords = "Values are shortened here. The page of this question shows all of them, and takes the answer."

/** The maximum length of the arguments in a message. The maximum of a message is 4,000 by default. */
const mostShown = 2_500

/** The maximum length of arguments that a person can check at all. */
const mostCharacters = 90_000

const tooLongWords = (length: number): string =>
  `The user was not asked and the call was not made: its arguments have ${length} characters, and a person can approve at most ${mostCharacters}. Make several smaller calls.`

/** The problem with edited arguments, which quotes what the person wrote. */
const problemWords = (problem: string): string => escapeInvisible(problem.slice(0, 500))
