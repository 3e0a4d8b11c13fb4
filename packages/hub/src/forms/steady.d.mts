// The types of steady.mjs, which pages load as it is. Elements are objects here: the library does not know a document.

/**
 * Guards the acts of a card, the buttons and links that answer a question. A press counts only on an act that has
 * stood still and in view for 700 ms before the press began, and never where the press before it was made. An act is
 * `aria-disabled` while a press on it does not count, and such a press shows why. Returns a function that ends the guard.
 * `elements` are the buttons and links, which are in the card; `words` say why a press did not count, in English by
 * default.
 */
export function guardActs(
  card: object,
  acts: { readonly elements: readonly object[]; readonly words?: string | undefined },
): () => void

/** Makes a change that may move acts: now, or when the pointer is over none. The same function waits only once. */
export function whenOffActs(change: () => void): void

/**
 * Makes a change that may move what is in `zone`: when a mouse is outside of it, or when the page is hidden. On a touch
 * screen the change waits until the page is left.
 */
export function whenAwayFrom(zone: object, change: () => void): void

/** Fixes the height of an element at its current one. Returns a function that ends this. */
export function keepHeight(element: object): () => void
