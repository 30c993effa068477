// What the kinds and states of holders mean.
import type { Holder, HolderKind, HolderStatus } from '@cardstock/sdk'

export const KINDS: Readonly<Record<HolderKind, string>> = { individual: 'Person', corporate: 'Company' }

/** Why a holder cannot get a card now; undefined for one who can. */
export const OBSTACLES: Readonly<Record<HolderStatus, string | undefined>> = {
  active: undefined,
  pending: 'The operator has not approved this holder yet. Cards can be issued as soon as that is done.',
  blocked: 'This holder is blocked and cannot get a card. Ask the operator why.',
  inactive: 'This holder is no longer active and cannot get a card. Ask the operator if that is a mistake.',
}

/** Instead of the obstacle, if the personal data was erased. */
export const ERASED: Readonly<Record<NonNullable<Holder['erasure']>, string>> = {
  running: 'The personal data of this holder is erased. Older records are being cleared, which takes a few minutes.',
  completed: 'The personal data of this holder is erased.',
}
