// Presses at random times and places on a page that changes: questions appear, are withdrawn and change their order while
// a person aims. A press may only reach the act at which the person aimed.

import type { BrowserContextOptions, Page } from "playwright-core"
import { expect } from "vitest"
import { openBrowser } from "./browser.ts"
import { usually } from "./long.ts"
import { passOnPage, stopTime } from "./page-clock.ts"

/** The buttons of every question. */
export const words = { yes: "Pay 9000 EUR", no: "Drop it" }
export const mostQuestions = 6

export interface Act {
  /** The question and the button. */
  readonly name: string
  readonly x: number
  readonly y: number
}

/** A page that changes. */
export interface Scene {
  readonly page: Page
  /** Lets a question appear, withdraws one, or changes their order, if the page does that. */
  change(random: Random): Promise<void>
  /** The acts that a person can see. */
  acts(): Promise<readonly Act[]>
  /** The acts that have had an effect since the last call, by name. */
  effects(): Promise<readonly string[]>
  close(): Promise<void>
}

type Pointer = "mouse" | "touch"

/** Presses 16 times, in the long run 700 times. No press may reach another act than the one that was aimed at. */
export async function expectAimedPresses(
  open: (options: BrowserContextOptions) => Promise<Scene>,
  pointer: Pointer,
): Promise<void> {
  const seed = 27
  const scene = await open({ hasTouch: pointer === "touch", viewport: { width: 700, height: 900 } })
  const presses = usually(16, { long: 700 })
  const { intended, unintended } = await pressAround(scene, { pointer, presses, seed })
  await scene.close()
  const first = unintended.slice(0, 3)
  expect({ seed, unintended: unintended.length, first }).toEqual({ seed, unintended: 0, first: [] })
  // The guard must not simply refuse everything.
  expect(intended).toBeGreaterThan(presses / 20)
}

interface Round {
  readonly pointer: Pointer
  readonly presses: number
  readonly seed: number
}

async function pressAround(scene: Scene, { pointer, presses, seed }: Round) {
  const random = createRandom(seed)
  const { page } = scene
  let intended = 0
  const unintended: string[] = []
  /** Passes time, with changes at random moments of it. */
  const wait = async (ms: number, changes: number): Promise<void> => {
    for (let left = changes; left > 0; left--) {
      await passOnPage(page, ms / (changes + 1))
      await scene.change(random)
    }
    await passOnPage(page, ms / (changes + 1))
  }
  for (let count = 0; count < presses; ) {
    await wait(random.below(2_000), random.below(2))
    const aim = random.of(await scene.acts())
    if (aim === undefined) {
      count++
      continue
    }
    if (pointer === "mouse") await page.mouse.move(aim.x, aim.y)
    const burst = random.below(3) === 0 ? 4 : 1
    for (let press = 0; press < burst; press++, count++) {
      // A person presses what they saw less than 700 ms ago; in a burst they press on without looking.
      await wait(press === 0 ? random.below(650) : 50 + random.below(1_500), random.below(2))
      if (pointer === "touch") await page.touchscreen.tap(aim.x, aim.y)
      else {
        await page.mouse.down()
        await wait(random.below(200), random.below(4) === 0 ? 1 : 0)
        await page.mouse.up()
      }
      for (const effect of await scene.effects()) {
        if (effect === aim.name) intended++
        else unintended.push(`press ${count}: aimed at ${aim.name}, reached ${effect}`)
      }
    }
    if (pointer === "mouse") await page.mouse.move(1, 895)
  }
  return { intended, unintended }
}

export interface Random {
  below(limit: number): number
  of<T>(list: readonly T[]): T | undefined
}

/** The generator mulberry32. */
function createRandom(seed: number): Random {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  return { below, of: (list) => list[below(list.length)] }
}

export async function openPage(options: BrowserContextOptions): Promise<Page> {
  const browser = await openBrowser()
  const context = await browser.newContext({ reducedMotion: "reduce", ...options })
  await stopTime(context)
  return context.newPage()
}

/** The buttons in the window, with the question of each. */
export const visibleActs = (
  cards: string,
  idOf: string,
): string => `[...document.querySelectorAll("${cards}")].flatMap((card) =>
  [...(card.shadowRoot ?? card).querySelectorAll(".buttons button:not([hidden])")].flatMap((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect()
    const isSeen = right > left && top >= 0 && bottom <= innerHeight
    return isSeen ? [{ name: ${idOf} + " " + button.textContent, x: (left + right) / 2, y: (top + bottom) / 2 }] : []
  }))`
