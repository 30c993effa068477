// A choice between a few things of equal weight, each with what it means. They are radio buttons to the keyboard.
import { useId } from 'react'
import { useRefused } from './refusal.tsx'
import styles from './form.module.css'

interface Choice<Value extends string> {
  readonly value: Value
  readonly title: string
  readonly text: string
}

interface Props<Value extends string> {
  /** The name of the field in the API. */
  readonly param: string
  readonly legend: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value | undefined
  onChange(value: NoInfer<Value>): void
}

export function ChoiceCards<Value extends string>({ param, legend, choices, value, onChange }: Props<Value>) {
  const name = useId()
  const { error, onChange: choose } = useRefused(param, { label: legend, onChange })
  const isWrong = error !== undefined
  return (
    <fieldset
      role="radiogroup"
      className={styles.choices}
      {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': `${name}-error` } : {})}
    >
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            required
            checked={choice.value === value}
            onChange={() => choose(choice.value)}
          />
          <span className={styles.choiceTitle}>{choice.title}</span>
          <span className={styles.choiceText}>{choice.text}</span>
        </label>
      ))}
      {isWrong ? (
        <p id={`${name}-error`} className={styles.fieldError}>
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
