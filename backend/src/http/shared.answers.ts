import { setLru } from './lru.map.js';

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
    const shared = { answer: ask(), untilMs: Infinity };
    setLru(this.answers, question, shared, answersMax);
    const forget = () => {
      if (this.answers.get(question) === shared) this.answers.delete(question);
    };
    shared.answer.then((answer) => {
      if (this.keptMs > 0 && this.worthKeeping(answer)) shared.untilMs = Date.now() + this.keptMs;
      else forget();
    }, forget);
    return shared.answer;
  }
}
