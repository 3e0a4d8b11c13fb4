// requestState passes through the client, so the returned value may be forged.

import { expect, skip, type UrlModeCheck } from "../check.ts"
import { credentialIn, personalIn } from "../credentials.ts"
import { alter, type Presented, present, refusesState, takeState } from "../presenting.ts"
import type { Stage } from "../stage.ts"
import { consent } from "./flow.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const state: readonly UrlModeCheck[] = [
  {
    id: "state-altered",
    title: "State with a single changed character is refused, at any position",
    level: "must",
    spec: section,
    async run(stage) {
      const taken = await takeState(stage)
      for (const place of [0.2, 0.5, 0.8]) await refusesState(stage, { ...taken, state: alter(taken.state, place) })
    },
  },
  {
    id: "state-truncated",
    title: "Truncated or extended state is refused",
    level: "must",
    spec: section,
    async run(stage) {
      const taken = await takeState(stage)
      const { state } = taken
      const half = state.slice(0, Math.floor(state.length / 2))
      for (const changed of [half, state.slice(8), `${state}${state.slice(0, 8)}`]) {
        await refusesState(stage, { ...taken, state: changed })
      }
    },
  },
  {
    id: "state-invented",
    title: "State that the server never issued is refused",
    level: "must",
    spec: section,
    async run(stage) {
      const taken = await takeState(stage)
      const forged = Buffer.from(JSON.stringify({ done: true, completed: true, sub: "admin" })).toString("base64url")
      for (const invented of ["x", forged, 7]) await refusesState(stage, { ...taken, state: invented })
    },
  },
  {
    id: "state-left-out",
    title: "An answer without the question's state does not finish the call",
    level: "must",
    spec: section,
    async run(stage) {
      const taken = await takeState(stage)
      const callState = await present(stage, { ...taken, state: undefined })
      expect(!stage.isCompleted(callState), "the question again, or an error", callState)
    },
  },
  {
    id: "state-other-arguments",
    title: "State is refused with other arguments than those of its call",
    level: "should",
    spec: section,
    async run(stage) {
      const taken = await takeState(stage)
      await refusesState(stage, { ...taken, arguments: otherArguments(stage) })
    },
  },
  {
    id: "state-other-tool",
    title: "State is refused in a call of another tool",
    level: "should",
    spec: section,
    async run(stage) {
      const { form } = stage.tools
      if (form === undefined) return skip("no second tool that asks is known")
      const taken = await takeState(stage)
      await refusesState(stage, { ...taken, name: form.name, arguments: form.arguments ?? {} })
    },
  },
  {
    id: "state-swapped",
    title: "The state of one call with the answers of another finishes neither",
    level: "must",
    spec: section,
    async run(stage) {
      await consent(stage, await stage.askUrl())
      const [one, two] = [await takeState(stage), await takeState(stage)]
      const callState = await present(stage, { ...two, state: one.state }, stage.quietMs)
      expect(!stage.isCompleted(callState), "no result", callState)
    },
  },
  {
    id: "state-other-person",
    title: "State is refused when another person presents it",
    level: "should",
    spec: section,
    async run(stage) {
      stage.needsSecond()
      const taken = await takeState(stage)
      await refusesState(stage, { ...taken, who: "second" })
    },
  },
  {
    id: "state-expired",
    title: "Expired state is refused",
    level: "should",
    spec: section,
    async run(stage) {
      const { expire } = stage.target
      if (expire === undefined) return skip("the target cannot advance the time (an expire hook)")
      const taken = await takeState(stage)
      await expire()
      await refusesState(stage, taken)
    },
  },
  {
    id: "state-opaque",
    title: "State contains no personal data and no credential that the client can read",
    level: "should",
    spec: { "2026-07-28": "basic/patterns/mrtr#security-considerations" },
    async run(stage) {
      const samples = [readable(await takeState(stage)), readable(await takeState(stage))]
      const credential = samples.flat().some((text) => credentialIn(text, stage.target) !== undefined)
      expect(!credential, "no credential in it", "a readable credential")
      const known = personalIn(samples, stage.target)
      expect(known === undefined, "nothing about the person in it", "readable personal data")
    },
  },
]

/** The state, and each of its parts as a client could decode it. */
function readable({ state }: { readonly state: string }): readonly string[] {
  return [state, ...state.split(/[.~:]/).map((part) => Buffer.from(part, "base64").toString("utf8"))]
}

function otherArguments(stage: Stage): NonNullable<Presented["arguments"]> {
  const { arguments: given = {}, otherArguments: other } = stage.tools.url ?? {}
  if (other !== undefined) return other
  const text = Object.entries(given).find(([, value]) => typeof value === "string")
  if (text === undefined) return skip("the url tool has no argument that could be changed (--other-args)")
  return { ...given, [text[0]]: `${String(text[1])}2` }
}
