// The type of a limit of Slack as data: contents at the limit, and contents above the limit.

export interface Limit {
  readonly name: string
  readonly surface: "message" | "edit" | "stream" | "view"
  readonly fits: object
  readonly exceeds: object
  readonly error: string
  /** The field that the error names. */
  readonly at: string | undefined
}

export const long = (count: number): string => "x".repeat(count)
export const plain = (text: string) => ({ type: "plain_text", text })
export const mrkdwn = (text: string) => ({ type: "mrkdwn", text })
export const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export const section = (text: string) => ({ type: "section", text: plain(text) })
export const option = (index: number | string, more: object = {}) => ({
  text: plain(`o${index}`),
  value: `${index}`,
  ...more,
})
export const actions = (...elements: readonly object[]) => ({ type: "actions", elements })
export const button = (more: object = {}) => ({ type: "button", text: plain("Press"), ...more })
export const input = (element: object, more: object = {}) => ({
  type: "input",
  label: plain("Label"),
  element,
  ...more,
})
export const textInput = (more: object = {}) => ({ type: "plain_text_input", ...more })
export const image = (more: object = {}) => ({
  type: "image",
  image_url: "https://example.com/i.png",
  alt_text: "i",
  ...more,
})

interface LimitPair {
  readonly fits: object
  readonly exceeds: object
}

/** One block of a message. */
export function block(name: string, at: string, { fits, exceeds }: LimitPair): Limit {
  const contents = (one: object) => ({ text: "fallback", blocks: [one] })
  return {
    name,
    surface: "message",
    fits: contents(fits),
    exceeds: contents(exceeds),
    error: "invalid_blocks",
    at: `/blocks/0${at}`,
  }
}

/** Contents of a given size, at the limit and above the limit. */
export const sized = (most: number, make: (size: number) => object): LimitPair => ({
  fits: make(most),
  exceeds: make(most + 1),
})

/** One input block of a modal with a submit button. */
export function modalInput(name: string, at: string, { fits, exceeds }: LimitPair): Limit {
  const contents = (one: object) => ({ submit: plain("Send"), blocks: [one] })
  return {
    name,
    surface: "view",
    fits: contents(fits),
    exceeds: contents(exceeds),
    error: "invalid_arguments",
    at: `/view/blocks/0${at}`,
  }
}

export function view(name: string, at: string, { fits, exceeds }: LimitPair): Limit {
  return { name, surface: "view", fits, exceeds, error: "invalid_arguments", at: `/view${at}` }
}

export function message(name: string, error: string, { fits, exceeds }: LimitPair, at?: string): Limit {
  return { name, surface: "message", fits, exceeds, error, at }
}

export const select = (more: object) => actions({ type: "static_select", ...more })
export const options = (count: number) => times(count, (index) => option(index))
