// How tests look at a page: in light and dark, on a phone and a desktop. The pictures that they leave behind are in
// docs/pictures with HOLDPOINT_PICTURES=1, else in a temporary folder.

import { mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { shrink } from "../packages/holdpoint/test/surfaces/web/shrink.ts"

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

/** Without motion, or buttons would be between two colours for a while. */
export async function lookAt(page: Page, { scheme, size }: Look, on = sizes): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
  await page.setViewportSize(on[size])
}

const isForDocs = process.env.HOLDPOINT_PICTURES === "1"
const folder = isForDocs
  ? fileURLToPath(new URL("../docs/pictures", import.meta.url))
  : join(tmpdir(), `holdpoint-pictures-${process.getuid?.() ?? "mine"}`)

/** In every look for the documents; else in one, which is another for the next name. */
export const picturedIn = (name: string): readonly Look[] => (isForDocs ? looks : [looks[name.length % looks.length]!])

export interface Picture {
  readonly name: string
  readonly look: Look
  /** In bytes: what is committed stays small. */
  readonly below: number
  readonly fullPage?: boolean
}

/** Of the page as it is looked at now. */
export async function takePicture(page: Page, { name, look, below, fullPage = true }: Picture): Promise<void> {
  const picture = shrink(await page.screenshot({ fullPage, animations: "disabled" }))
  expect(picture.length, name).toBeLessThan(below)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}-${look.size}-${look.scheme}.png`), picture)
}
