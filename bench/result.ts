// One measured number. `baseline` names the result that it is compared with; `ratio` is the median of the ratios per
// round, which differs slightly from the ratio of the two medians. A value that is itself a multiple has no ratio.

export interface Result {
  /** The path of the measurement, from general to specific: "sqlite/round-trips/c16". */
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly baseline?: string
  readonly ratio?: number
}
