// One refusal of every code, for the examples of errors.
import type { LiveWorld } from '../../../support/live.ts'
import type { Recorder } from '../recorder.ts'
import { refuseCardChanges, refuseEndpoints, refuseErasures } from './cards.ts'
import { refuseAtLimits, refuseSlowRequest } from './limits.ts'
import { refuseNotOffered } from './not-offered.ts'
import { refuseFunding, refuseIssuance, refuseOperations, refuseStatements } from './operations.ts'
import { refuseCatalogue, refuseIssuer, refuseMoreKeys, refuseTokens } from './operators.ts'
import { refusePeople } from './people.ts'
import { refuseKeys, refuseRequests } from './requests.ts'

export async function collectRefusals(world: LiveWorld, recorder: Recorder): Promise<void> {
  const steps = [
    refuseRequests,
    refuseKeys,
    refuseOperations,
    refuseFunding,
    refuseStatements,
    refuseCardChanges,
    refuseErasures,
    refuseEndpoints,
    refuseCatalogue,
    refuseTokens,
    refuseMoreKeys,
    refuseIssuer,
    refusePeople,
    // Its many operations would delay the worker in other steps.
    refuseIssuance,
  ]
  for (const step of steps) await step(world, recorder)
  await refuseAtLimits(recorder)
  await refuseNotOffered(recorder)
  await refuseSlowRequest(recorder)
}
