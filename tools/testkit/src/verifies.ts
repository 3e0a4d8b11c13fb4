// A test that names the requirement it verifies.

import { it, type TestFunction } from "vitest"
import type { RequirementId } from "./requirements.ts"

export function verifies(
  _ids: RequirementId | readonly RequirementId[],
  title: string,
  fn: TestFunction,
  timeout?: number,
): void {
  it(title, fn, timeout)
}

/** The same for a table of cases. */
verifies.each = (_ids: RequirementId | readonly RequirementId[]): typeof it.each => it.each.bind(it) as typeof it.each
