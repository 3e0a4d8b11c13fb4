// Decides whether a person confirms before something is removed or reaches others. Each tool, or the kind of reach of a
// call, has a default policy; the configuration and the person's own choice override it.

import type { Principal } from "@holdpoint/hub"
import { agreementName, isAlwaysAsked, type Reached, type ReachKind } from "./reach.ts"
import type { Policy, Tool } from "./tool.ts"

/** How often each person is asked before something is removed or overwritten, or reaches others. */
export interface Policies {
  /** The policy for this person and this tool; for a tool with a rule of reach, for whom this call reaches. */
  of(tool: Tool, principal: Principal | undefined, reached?: readonly Reached[]): Promise<Policy>
  /** Records that the person confirmed: with the policy `once`, they are not asked again for the same. */
  agreed(tool: Tool, principal: Principal | undefined, reached?: readonly Reached[]): Promise<void>
}

/** Stores each person's choices of policies and their confirmations. */
export interface Choices {
  get(principal: Principal, name: string): Promise<string | undefined>
  set(principal: Principal, name: string, value: string): Promise<void>
}

export const choiceName = (tool: Pick<Tool, "name">): string => `confirm ${tool.name}`

/** The names under which a Yes to this call is stored: one for the tool, or one for each recipient. */
const agreementNames = ({ name }: Pick<Tool, "name">, reached: readonly Reached[] | undefined): readonly string[] =>
  reached === undefined ? [`agreed ${name}`] : reached.map((recipient) => agreementName(name, recipient))

/** Whether a value, such as one from the configuration, is one of the three policies. */
export const isPolicy = (text: unknown): text is Policy => text === "never" || text === "once" || text === "always"

/**
 * Creates the policies. The keys of `configured` are tools, toolsets or `*`: `{ nc_notes_delete_note: "never", files:
 * "once", "*": "always" }`.
 */
export function createPolicies(configured: Readonly<Record<string, Policy>>, choices: Choices | undefined): Policies {
  return {
    async of(tool, principal, reached) {
      if (tool.confirm === undefined) return "never"
      const isAlways = isAlwaysAsked(reached?.map(({ kind }) => kind) ?? kindsOf(tool))
      const policy =
        (await readChoice(choices, principal, tool, isAlways)) ?? configuredPolicy(configured, tool, isAlways)
      if (isAlways && policy === "once") return "always"
      if (policy !== "once" || principal === undefined) return policy
      const agreements = agreementNames(tool, reached).map(async (name) => choices?.get(principal, name))
      return (await Promise.all(agreements)).includes(undefined) ? "once" : "never"
    },
    async agreed(tool, principal, reached) {
      if (principal === undefined) return
      for (const name of agreementNames(tool, reached)) await choices?.set(principal, name, new Date().toISOString())
    },
  }
}

/** The person's choice. One for all tools does not cover what is always asked about. */
async function readChoice(
  choices: Choices | undefined,
  principal: Principal | undefined,
  tool: Tool,
  isAlways: boolean,
): Promise<Policy | undefined> {
  if (principal === undefined) return undefined
  const ownChoice = await choices?.get(principal, choiceName(tool))
  const choice = ownChoice === undefined && !isAlways ? await choices?.get(principal, globalChoiceName) : ownChoice
  return isPolicy(choice) ? choice : undefined
}

/** The name of the choice that applies to every tool without a choice of its own. */
const globalChoiceName = choiceName({ name: "*" })

/** The policy without a choice of the person: for a tool with a rule of reach, the one for its strictest kind. */
export const defaultPolicy = (configured: Readonly<Record<string, Policy>>, tool: Tool): Policy =>
  configuredPolicy(configured, tool, isAlwaysAsked(kindsOf(tool)))

const kindsOf = ({ reach }: Tool): readonly ReachKind[] => (typeof reach === "object" ? reach.kinds : [])

function configuredPolicy(configured: Readonly<Record<string, Policy>>, tool: Tool, isAlways: boolean): Policy {
  const ownPolicy = configured[tool.name] ?? configured[tool.app]
  if (isAlways) return ownPolicy === undefined || ownPolicy === "once" ? "always" : ownPolicy
  const usualPolicy = typeof tool.reach === "object" ? "once" : (tool.confirm?.policy ?? "never")
  return ownPolicy ?? configured["*"] ?? usualPolicy
}

export interface ChoiceGroup {
  readonly id: string
  readonly title: string
  readonly words: string
  readonly options: readonly { readonly value: Policy; readonly title: string }[]
  readonly items: readonly { readonly name: string; readonly title: string; readonly usual: string }[]
}

/** The choices that a person has on their account page. */
export function toChoiceGroup(tools: readonly Tool[], configured: Readonly<Record<string, Policy>>): ChoiceGroup {
  const items = tools
    .filter(({ confirm }) => confirm !== undefined)
    .map((tool) => ({ name: choiceName(tool), title: tool.title, usual: defaultPolicy(configured, tool) }))
  return {
    id: "confirm",
    title: "Before something is removed or shared",
    words:
      "Programs ask you before they remove, overwrite, share or send something in your Nextcloud. Choose how often. " +
      "For sharing, the first time means for the same recipient and the same object. Links for everyone, e-mail, other " +
      "servers, and access that becomes wider or less protected are asked about each time, unless you choose “Never ask” for that tool itself.",
    options: [
      { value: "always", title: "Ask each time" },
      { value: "once", title: "Ask the first time" },
      { value: "never", title: "Never ask" },
    ],
    items: [{ name: globalChoiceName, title: "Everything not set below", usual: "" }, ...items],
  }
}
