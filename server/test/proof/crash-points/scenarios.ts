// The list of scenarios of the crash tests.
import type { Scenario } from './scenario.ts'
import { cardClose } from './scenarios/card-close.ts'
import { invoice } from './scenarios/invoice.ts'
import { keyRotation } from './scenarios/key-rotation.ts'
import { issue, service, topUp } from './scenarios/operations.ts'
import { review } from './scenarios/review.ts'
import { sandboxService } from './scenarios/sandbox.ts'
import { signIn } from './scenarios/sign-in.ts'
import { webhook } from './scenarios/webhook.ts'

export const SCENARIOS: readonly Scenario[] = [
  issue,
  topUp,
  service,
  sandboxService,
  invoice,
  cardClose,
  webhook,
  review,
  keyRotation,
  signIn,
]
