// The looks in which tests render a page: light and dark, phone and desktop. Pictures are saved to docs/pictures with
// HOLDPOINT_PICTURES=1, otherwise to a temporary folder.

import { mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { isLong } from "./long.ts"
import { shrink } from "./server/web/shrink.ts"

export interface Size {
  readonly width: number
  readonly height: number
}

export const sizes: Readonly<Record<"phone" | "desktop", Size>> = {
  phone: { width: 390, height: 760 },
  desktop: { width: 1280, height: 760 },
}

export const looks = (["light", "dark"] as const).flatMap((scheme) =>
  (["phone", "desktop"] as const).map((size) => ({ scheme, size })),
)

export type Look = (typeof looks)[number]

/** Sets the look of a page. Turns off motion, so that no button is captured between two colours. */
export async function lookAt(page: Page, { scheme, size }: Look, on = sizes): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
  await page.setViewportSize(on[size])
}

const isForDocs = process.env.HOLDPOINT_PICTURES === "1"
const folder = isForDocs
  ? fileURLToPath(new URL("../../../docs/pictures", import.meta.url))
  : join(tmpdir(), `holdpoint-pictures-${process.getuid?.() ?? "mine"}`)

/** The looks in which every page is tested. The usual run has two, with each scheme and each size once. */
export const triedLooks: readonly Look[] =
  isForDocs || isLong ? looks : looks.filter(({ scheme, size }) => (scheme === "light") === (size === "phone"))

/** The looks of a picture: all for the documents; otherwise one, which depends on the name. */
export const picturedIn = (name: string): readonly Look[] =>
  isForDocs ? looks : [triedLooks[name.length % triedLooks.length]!]

/** The pictures to take: all for the documents; otherwise one, which shows that they can be taken. */
export const toPicture = (names: readonly string[]): readonly string[] => (isForDocs ? names : names.slice(0, 1))

export interface Picture {
  readonly name: string
  readonly look: Look
  /** The size limit in bytes, because pictures are committed. */
  readonly below: number
  readonly fullPage?: boolean
}

/** Takes a picture of the page in its current look. */
export async function takePicture(page: Page, { name, look, below, fullPage = true }: Picture): Promise<void> {
  const picture = shrink(await page.screenshot({ fullPage, animations: "disabled" }))
  expect(picture.length, name).toBeLessThan(below)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}-${look.size}-${look.scheme}.png`), picture)
}
