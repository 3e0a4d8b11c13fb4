// The part of a hub that the vault uses: ask, wait and complete.

import type { Elicitation, Outcome, Reason } from "../core/elicitation.ts"
import type { Principal } from "../core/principal.ts"
import type { Draft } from "../core/question.ts"
import type { Refusal } from "../core/transition.ts"
import type { Outlet } from "./outlet.ts"

export interface Questions {
  ask(
    draft: Draft,
    options?: { readonly signal?: AbortSignal; readonly outlets?: readonly Outlet[]; readonly trace?: string },
  ): Promise<Elicitation>
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<Outcome>
  get(id: string): Promise<Elicitation | undefined>
  open(id: string, options?: { readonly by?: Principal }): Promise<QuestionStep>
  answer(
    id: string,
    answer: {
      readonly by: Principal
      readonly action: "accept" | "decline" | "cancel"
      readonly content?: unknown
      readonly via?: string
      readonly expiresAt?: number
      readonly reason?: Reason
    },
  ): Promise<QuestionStep>
  complete(id: string): Promise<QuestionStep>
  fail(id: string, reason: Reason): Promise<QuestionStep>
}

export type QuestionStep =
  | { readonly ok: true; readonly changed: boolean; readonly elicitation: Elicitation }
  | { readonly ok: false; readonly refusal: Refusal }
