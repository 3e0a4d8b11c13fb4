// Finds the person who is signed in in this browser, and lets people sign in through a popup.

import { type Card, visitCard } from "./cards.ts"
import { elementById } from "./dom.ts"
import type { Stage } from "./stage.ts"
import { reach } from "./wire.ts"

export async function signedInPerson(): Promise<string | undefined> {
  const response = await reach("/try/who")
  const { name } = (await response.json()) as { readonly name: string | null }
  return name ?? undefined
}

const pollMs = 500

/** Shows one sign-in prompt for all waiting requests. Rejects when the person cancels or no call is in progress. */
export function createSignIn(stage: Stage): (signal: AbortSignal | undefined) => Promise<void> {
  let openPrompt: SignInPrompt | undefined
  return async (signal) => {
    if (signal === undefined || signal.aborted) throw notSignedIn()
    openPrompt ??= begin(() => {
      openPrompt = undefined
    })
    const { card, refuse, done } = openPrompt
    signal.addEventListener("abort", refuse)
    stage.setStatus("Waiting for you to sign in …")
    stage.show(card.element)
    return done
  }
}

/** The open sign-in prompt. */
interface SignInPrompt {
  readonly card: Card
  readonly refuse: () => void
  readonly done: Promise<void>
}

function begin(onEnd: () => void): SignInPrompt {
  const { promise: signedIn, resolve, reject } = Promise.withResolvers<void>()
  let isOver = false
  // Settles only once: cancelling a call after its sign-in must not end a later sign-in.
  const end = (settle: () => void): void => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    card.element.remove()
    card.close()
    onEnd()
    settle()
  }
  const refuse = (): void => end(() => reject(notSignedIn()))
  const card = visitCard({
    title: "Sign in first",
    message: "You are not signed in. Sign in as alice or bob; there is no password.",
    url: new URL(elementById("try").dataset.signIn ?? "", location.href).href,
    openWords: "Sign in",
    opened: "Sign in using the window that opened. The call then continues.",
    onCancel: refuse,
  })
  const timer = setInterval(async () => {
    if ((await signedInPerson().catch(() => undefined)) !== undefined) end(resolve)
  }, pollMs)
  return { card, refuse, done: signedIn }
}

const notSignedIn = (): Error => new Error("You did not sign in, so nothing was called.")
