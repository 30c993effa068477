// Turns the text of a SQL function into the text for Citus. Both have one file: what only Citus needs is in comments that begin
// with `-- citus:`, lines that it must not have end with `-- not on citus`, and the forced generic plan is left out, because
// Citus plans a statement for the company in its parameters.

export function toCitusText(text: string): string {
  return text
    .replaceAll(/^.* -- not on citus\n/gm, '')
    .replaceAll(/^set plan_cache_mode = force_generic_plan\n/gm, '')
    .replaceAll('-- citus: ', '')
}
