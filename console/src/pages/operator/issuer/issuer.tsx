// The live issuer: who it is, whether it answers, what waits there for a person, and the three sums that an operator has to watch.
import type { LiveIssuer } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Notice } from '~/ui/notice.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Updated } from '~/ui/updated.tsx'
import { Cards } from './cards.tsx'
import { Deposits } from './deposits.tsx'
import { Summary } from './summary.tsx'

export default function Issuer() {
  const query = useData('issuer', ['issuer'], (_client, options) => api.admin.books.issuer(options), { isMoving: true })
  return (
    <>
      <PageHeading title="Issuer">
        Carries out live requests: cards at the provider, and deposits. The issuer is asked each time this page is
        updated.
        <Updated query={query} />
      </PageHeading>
      <Loaded query={query}>{(issuer) => (issuer.isConfigured ? <Shown issuer={issuer} /> : <NotConfigured />)}</Loaded>
    </>
  )
}

function NotConfigured() {
  return (
    <Panel>
      <Empty icon="shield" title="This server has no live issuer">
        Live requests are refused. To connect one, set ISSUER_URL and ISSUER_SECRET as the guide &ldquo;Going
        live&rdquo; describes.
      </Empty>
    </Panel>
  )
}

function Shown({ issuer }: { issuer: LiveIssuer }) {
  const { state } = issuer
  return (
    <Stack>
      <Verdict issuer={issuer} />
      <Summary issuer={issuer} />
      {state?.cards == null ? null : <Cards cards={state.cards} />}
      {state?.deposits == null ? null : <Deposits deposits={state.deposits} />}
    </Stack>
  )
}

/** Says the worst that is known. Only what the issuer answered is called well. */
function Verdict({ issuer: { isAnswering, mode, stopped, state } }: { issuer: LiveIssuer }) {
  if (!isAnswering) {
    return (
      <Notice tone="red" title="The issuer does not answer">
        <p>Operations wait in the queue; nothing is lost. The state of its cards and deposits is not known.</p>
      </Notice>
    )
  }
  const problems = [
    stopped.length === 0 ? undefined : `Some calls are not answered: ${stopped.join(', ')}.`,
    state?.cards == null || state.cards.requestsWaiting === 0
      ? undefined
      : `${state.cards.requestsWaiting} of its requests ${state.cards.requestsWaiting === 1 ? 'needs' : 'need'} a decision. Run cardstock issuer requests where the issuer runs.`,
    state?.deposits == null || state.deposits.isCrediting ? undefined : state.deposits.message,
    state?.deposits == null || state.deposits.transfersOpen === 0
      ? undefined
      : `${state.deposits.transfersOpen} ${state.deposits.transfersOpen === 1 ? 'transfer belongs' : 'transfers belong'} to no invoice. Run cardstock issuer transfers where the issuer runs.`,
    state == null || state.eventsRefused === 0
      ? undefined
      : `This server refused ${state.eventsRefused} of its events. When you have mended why, run cardstock issuer resend-events where the issuer runs.`,
  ].filter((problem) => problem !== undefined)
  return (
    <>
      {mode === 'test' ? (
        <Notice tone="amber" title="The issuer uses test keys">
          <p>
            Its cards do not work at real merchants, and no real money moves, although this is the live environment.
          </p>
        </Notice>
      ) : null}
      {problems.length === 0 ? (
        <Notice tone="green" title="The issuer answers">
          <p>
            {state === null
              ? 'It does not report the state of its cards and deposits.'
              : 'Nothing there needs a decision.'}
          </p>
        </Notice>
      ) : (
        <Notice tone="amber" title="The issuer needs attention">
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
