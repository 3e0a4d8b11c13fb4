// Compares all facts by all rules.

import type { Facts, Finding, Rule } from "./facts.ts"
import { consent, effectOnce, lateNo } from "./rules/effects.ts"
import { messages } from "./rules/messages.ts"
import { processes } from "./rules/processes.ts"
import { oneEnd } from "./rules/questions.ts"
import { streams } from "./rules/streams.ts"
import { stuck } from "./rules/stuck.ts"
import { asked, truth } from "./rules/truth.ts"
import { votes } from "./rules/votes.ts"
import { webhooks } from "./rules/webhooks.ts"

export const rules: readonly Rule[] = [
  oneEnd,
  effectOnce,
  consent,
  lateNo,
  truth,
  asked,
  stuck,
  streams,
  votes,
  webhooks,
  messages,
  processes,
]

/** Whether everything that takes its time has happened. */
export const isQuiet = (facts: Facts): boolean => [stuck, webhooks, messages].every((rule) => rule(facts).length === 0)

export const reconcile = (facts: Facts): readonly Finding[] => rules.flatMap((rule) => rule(facts))
