// One measured number. `baseline` names the result it is compared with; `ratio` is the median of the comparisons made
// round by round, which is not quite the quotient of the two medians. A value that is itself a multiple has no ratio.

export interface Result {
  /** What was measured on what, from the wide to the narrow: "sqlite/round-trips/c16". */
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly baseline?: string
  readonly ratio?: number
}
