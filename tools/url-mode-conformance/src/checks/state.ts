// requestState passes through the client, so a server must detect a forged value.

import { expect, skip, type UrlModeCheck } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { credentialIn, personalIn } from "../credentials.ts"
import { alter, askForState, expectRefusal, type StateRetry, sendRetry } from "../state-retry.ts"
import { consent } from "./flow.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const state: readonly UrlModeCheck[] = [
  {
    id: "state-altered",
    title: "State with a single changed character is refused, at any position",
    level: "must",
    spec: section,
    async run(context) {
      const retry = await askForState(context)
      for (const position of [0.2, 0.5, 0.8])
        await expectRefusal(context, { ...retry, state: alter(retry.state, position) })
    },
  },
  {
    id: "state-truncated",
    title: "Truncated or extended state is refused",
    level: "must",
    spec: section,
    async run(context) {
      const retry = await askForState(context)
      const { state } = retry
      const firstHalf = state.slice(0, Math.floor(state.length / 2))
      for (const changedState of [firstHalf, state.slice(8), `${state}${state.slice(0, 8)}`]) {
        await expectRefusal(context, { ...retry, state: changedState })
      }
    },
  },
  {
    id: "state-invented",
    title: "State that the server never issued is refused",
    level: "must",
    spec: section,
    async run(context) {
      const retry = await askForState(context)
      const forged = Buffer.from(JSON.stringify({ done: true, completed: true, sub: "admin" })).toString("base64url")
      for (const inventedState of ["x", forged, 7]) await expectRefusal(context, { ...retry, state: inventedState })
    },
  },
  {
    id: "state-left-out",
    title: "An answer without the question's state does not finish the call",
    level: "must",
    spec: section,
    async run(context) {
      const retry = await askForState(context)
      const callState = await sendRetry(context, { ...retry, state: undefined })
      expect(!context.isCompleted(callState), "the question again, or an error", callState)
    },
  },
  {
    id: "state-other-arguments",
    title: "State is refused with other arguments than those of its call",
    level: "should",
    spec: section,
    async run(context) {
      const retry = await askForState(context)
      await expectRefusal(context, { ...retry, arguments: otherArguments(context) })
    },
  },
  {
    id: "state-other-tool",
    title: "State is refused in a call of another tool",
    level: "should",
    spec: section,
    async run(context) {
      const { form } = context.tools
      if (form === undefined) return skip("no second tool that asks is known")
      const retry = await askForState(context)
      await expectRefusal(context, { ...retry, name: form.name, arguments: form.arguments ?? {} })
    },
  },
  {
    id: "state-swapped",
    title: "The state of one call with the answers of another finishes neither",
    level: "must",
    spec: section,
    async run(context) {
      await consent(context, await context.askUrl())
      const [firstRetry, secondRetry] = [await askForState(context), await askForState(context)]
      const callState = await sendRetry(context, { ...secondRetry, state: firstRetry.state }, context.quietMs)
      expect(!context.isCompleted(callState), "no result", callState)
    },
  },
  {
    id: "state-other-person",
    title: "State is refused when another person presents it",
    level: "should",
    spec: section,
    async run(context) {
      context.requireSecondPerson()
      const retry = await askForState(context)
      await expectRefusal(context, { ...retry, person: "second" })
    },
  },
  {
    id: "state-expired",
    title: "Expired state is refused",
    level: "should",
    spec: section,
    async run(context) {
      const { expire } = context.target
      if (expire === undefined) return skip("the target cannot advance the time (an expire hook)")
      const retry = await askForState(context)
      await expire()
      await expectRefusal(context, retry)
    },
  },
  {
    id: "state-opaque",
    title: "State contains no personal data and no credential that the client can read",
    level: "should",
    spec: { "2026-07-28": "basic/patterns/mrtr#security-considerations" },
    async run(context) {
      const samples = [readableTexts(await askForState(context)), readableTexts(await askForState(context))]
      const credential = samples.flat().some((text) => credentialIn(text, context.target) !== undefined)
      expect(!credential, "no credential in it", "a readable credential")
      const personalData = personalIn(samples, context.target)
      expect(personalData === undefined, "nothing about the person in it", "readable personal data")
    },
  },
]

/** The state, and the base64-decoded text of each of its parts. */
function readableTexts({ state }: { readonly state: string }): readonly string[] {
  return [state, ...state.split(/[.~:]/).map((part) => Buffer.from(part, "base64").toString("utf8"))]
}

function otherArguments(context: CheckContext): NonNullable<StateRetry["arguments"]> {
  const { arguments: toolArguments = {}, otherArguments: configuredArguments } = context.tools.url ?? {}
  if (configuredArguments !== undefined) return configuredArguments
  const textArgument = Object.entries(toolArguments).find(([, value]) => typeof value === "string")
  if (textArgument === undefined) return skip("the url tool has no argument that could be changed (--other-args)")
  return { ...toolArguments, [textArgument[0]]: `${String(textArgument[1])}2` }
}
