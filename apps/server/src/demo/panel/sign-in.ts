// Who is signed in in this browser, and signing in through a popup.

import { type Card, visitCard } from "./cards.ts"
import { elementById } from "./dom.ts"
import type { Stage } from "./stage.ts"
import { reach } from "./wire.ts"

export async function who(): Promise<string | undefined> {
  const response = await reach("/try/who")
  const { name } = (await response.json()) as { readonly name: string | null }
  return name ?? undefined
}

const lookEveryMs = 500

/** Prompts once for all requests that wait. Rejects when the person cancels or no call is in progress. */
export function createSignIn(stage: Stage): (stopped: AbortSignal | undefined) => Promise<void> {
  let waiting: Waiting | undefined
  return async (stopped) => {
    if (stopped === undefined || stopped.aborted) throw notSignedIn()
    waiting ??= begin(() => {
      waiting = undefined
    })
    const { card, refuse, done } = waiting
    stopped.addEventListener("abort", refuse)
    stage.say("Waiting for you to sign in …")
    stage.show(card.element)
    return done
  }
}

interface Waiting {
  readonly card: Card
  readonly refuse: () => void
  readonly done: Promise<void>
}

function begin(ended: () => void): Waiting {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  let isOver = false
  // Settles once: a call that is given up after its sign-in must not end a later sign-in.
  const end = (settle: () => void): void => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    card.element.remove()
    card.close()
    ended()
    settle()
  }
  const refuse = (): void => end(() => reject(notSignedIn()))
  const card = visitCard({
    title: "Sign in first",
    message: "You are not signed in. Sign in as alice or bob; there is no password.",
    url: new URL(elementById("try").dataset.signIn ?? "", location.href).href,
    openWords: "Sign in",
    opened: "Sign in, in the window that opened. The call goes on by itself.",
    onCancel: refuse,
  })
  const timer = setInterval(async () => {
    if ((await who().catch(() => undefined)) !== undefined) end(resolve)
  }, lookEveryMs)
  return { card, refuse, done }
}

const notSignedIn = (): Error => new Error("You did not sign in, so nothing was called.")
