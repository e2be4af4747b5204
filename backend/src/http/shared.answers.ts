import { putLast } from './put.last.js';

const answersMax = 1_000;

/** Asks each question once at a time: who asks it again meanwhile, or within `keptMs` after, gets the same answer. */
export class SharedAnswers<T> {
  private readonly answers = new Map<string, { answer: Promise<T>; untilMs: number }>();

  /** Errors are never kept, nor answers that are not `worthKeeping`. */
  constructor(
    private readonly keptMs: number,
    private readonly worthKeeping: (answer: T) => boolean = () => true,
  ) {}

  get(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question);
    if (known !== undefined && known.untilMs > Date.now()) return known.answer;
    const asked = { answer: ask(), untilMs: Infinity };
    putLast(this.answers, question, asked, answersMax);
    const forget = () => {
      if (this.answers.get(question) === asked) this.answers.delete(question);
    };
    asked.answer.then((answer) => {
      if (this.keptMs > 0 && this.worthKeeping(answer)) asked.untilMs = Date.now() + this.keptMs;
      else forget();
    }, forget);
    return asked.answer;
  }
}
