// How the cards at the provider stand.
import type { LiveIssuer } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { Time } from '~/ui/time.tsx'

type CardsState = NonNullable<NonNullable<LiveIssuer['state']>['cards']>

export function Cards({ cards }: { cards: CardsState }) {
  return (
    <Panel title={`Cards at ${cards.provider}`}>
      <Facts
        facts={[
          ['On cards, by the issuer’s books', <Money key="owed" value={cards.owed} />],
          ['Left at the provider for cards', <Float key="float" cards={cards} />],
          ['Requests without an outcome', cards.requestsOpen],
          ['Of these, waiting for a person', <Waiting key="waiting" cards={cards} />],
          ['Last event', cards.lastEventAt === null ? 'None yet' : <Time key="event" value={cards.lastEventAt} />],
          [
            'Events last read',
            cards.eventsReadAt === null ? 'Not yet' : <Time key="read" value={cards.eventsReadAt} />,
          ],
          ['Events about cards that were not made here', cards.eventsOfUnknownCards],
        ]}
      />
      <p>
        Crediting a card account does not fund the provider. Move money to the provider before less is left than
        companies will order, or their cards are refused.
      </p>
    </Panel>
  )
}

function Float({ cards: { float, floatReadAt } }: { cards: CardsState }) {
  if (float === null) return 'The provider does not say'
  return (
    <>
      <Money value={float} />
      {floatReadAt === null ? null : (
        <>
          {' '}
          at <Time value={floatReadAt} />
        </>
      )}
    </>
  )
}

function Waiting({ cards: { requestsWaiting, waitingSince } }: { cards: CardsState }) {
  if (waitingSince === null) return requestsWaiting
  return (
    <>
      {requestsWaiting}, the oldest since <Time value={waitingSince} />
    </>
  )
}
