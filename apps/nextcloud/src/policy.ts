// Decides whether a person confirms before something is removed. Each tool has a default policy; the configuration and
// the person's own choice override it.

import type { Principal } from "@holdpoint/sdk"
import type { Policy, Tool } from "./tool.ts"

/** How often each person is asked before something is removed or overwritten. */
export interface Policies {
  /** The policy for this person and this tool. */
  of(tool: Tool, principal: Principal | undefined): Promise<Policy>
  /** Records that the person confirmed: with the policy `once`, the person is not asked again. */
  agreed(tool: Tool, principal: Principal | undefined): Promise<void>
}

/** Stores each person's choices of policies and their confirmations. */
export interface Choices {
  get(principal: Principal, name: string): Promise<string | undefined>
  set(principal: Principal, name: string, value: string): Promise<void>
}

export const choiceName = (tool: Pick<Tool, "name">): string => `confirm ${tool.name}`
const agreedName = (tool: Pick<Tool, "name">): string => `agreed ${tool.name}`

/** Whether a value, such as one from the configuration, is one of the three policies. */
export const isPolicy = (text: unknown): text is Policy => text === "never" || text === "once" || text === "always"

/**
 * Creates the policies. The keys of `configured` are tools, toolsets or `*`: `{ nc_notes_delete_note: "never", files:
 * "once", "*": "always" }`.
 */
export function createPolicies(configured: Readonly<Record<string, Policy>>, choices: Choices | undefined): Policies {
  return {
    async of(tool, principal) {
      if (tool.confirm === undefined) return "never"
      const chosenPolicy = principal === undefined ? undefined : await readChoice(choices, principal, tool)
      const policy = isPolicy(chosenPolicy) ? chosenPolicy : defaultPolicy(configured, tool)
      if (policy !== "once" || principal === undefined) return policy
      return (await choices?.get(principal, agreedName(tool))) === undefined ? "once" : "never"
    },
    async agreed(tool, principal) {
      if (principal !== undefined) await choices?.set(principal, agreedName(tool), new Date().toISOString())
    },
  }
}

async function readChoice(choices: Choices | undefined, principal: Principal, tool: Tool): Promise<string | undefined> {
  const ownChoice = await choices?.get(principal, choiceName(tool))
  return ownChoice === undefined && tool.confirm?.ignoresGlobalChoice !== true
    ? choices?.get(principal, globalChoiceName)
    : ownChoice
}

/** The name of the choice that applies to every tool without a choice of its own. */
const globalChoiceName = choiceName({ name: "*" })

export function defaultPolicy(configured: Readonly<Record<string, Policy>>, tool: Tool): Policy {
  const globalPolicy = tool.confirm?.ignoresGlobalChoice === true ? undefined : configured["*"]
  return configured[tool.name] ?? configured[tool.app] ?? globalPolicy ?? tool.confirm?.policy ?? "never"
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
  const standaloneTitles = tools
    .filter(({ confirm }) => confirm?.ignoresGlobalChoice === true)
    .map(({ title }) => `“${title}”`)
  const exceptionText =
    standaloneTitles.length === 0 ? "" : ` Your choice for everything does not apply to ${standaloneTitles.join(", ")}.`
  return {
    id: "confirm",
    title: "Before something is removed",
    words: `Programs ask you before they remove, overwrite, share or send something in your Nextcloud. Choose how often.${exceptionText}`,
    options: [
      { value: "always", title: "Ask each time" },
      { value: "once", title: "Ask the first time" },
      { value: "never", title: "Never ask" },
    ],
    items: [{ name: globalChoiceName, title: "Everything not set below", usual: "" }, ...items],
  }
}
