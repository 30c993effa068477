// A choice between a few things of equal weight, each with what it means. They are radio buttons to the keyboard.
import { useId } from 'react'
import styles from './form.module.css'

interface Choice<Value extends string> {
  readonly value: Value
  readonly title: string
  readonly text: string
}

interface Props<Value extends string> {
  readonly legend: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value | undefined
  onChange(value: NoInfer<Value>): void
}

export function ChoiceCards<Value extends string>({ legend, choices, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            required
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={styles.choiceTitle}>{choice.title}</span>
          <span className={styles.choiceText}>{choice.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
