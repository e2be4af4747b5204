import type { GameSave, GameSaved, SavedGameData } from '@orange-id/contract/games.schema';
import { failureText } from '../../../api/failure.text';
import { HttpError } from '../../../api/http';

/** The calls that keep a game's data and scores. */
export interface KeeperCalls {
  read: () => Promise<SavedGameData>;
  save: (body: GameSave) => Promise<GameSaved>;
  addScore: (score: number) => Promise<unknown>;
}

interface KeeperOptions {
  /** What went wrong last; `null` once a save has worked. */
  onProblem: (problem: string | null) => void;
  /** The project has what this browser kept, which can go from here: the next user of the browser must not get it. */
  onCarried: () => void;
}

/**
 * Keeps a game's data and scores in a project. Saves go out one at a time, the newest last. Data that another device
 * saved in the meantime is never overwritten: this device's stays where it is, and the next run begins with the other's.
 */
export class GameKeeper {
  /** Whether what the browser had is on its way to the project. */
  private isCarrying = false;
  private version: number;
  private waiting: string | null = null;
  private isSaving = false;

  private constructor(
    private readonly calls: KeeperCalls,
    { data, version }: SavedGameData,
    private readonly options: KeeperOptions,
  ) {
    this.saved = data === null ? null : JSON.stringify(data);
    this.version = version;
  }

  /** What is kept, as JSON; `null` without any. */
  saved: string | null;

  /** Reads what is kept. A game that has saved only in this browser brings that along. */
  static async open(
    calls: KeeperCalls,
    inBrowser: string | null,
    options: KeeperOptions,
  ): Promise<GameKeeper> {
    const keeper = new GameKeeper(calls, await calls.read(), options);
    if (keeper.saved === null && inBrowser !== null) {
      keeper.isCarrying = true;
      keeper.save(inBrowser);
    }
    return keeper;
  }

  save(json: string): void {
    this.saved = json;
    this.waiting = json;
    if (!this.isSaving) void this.sendWaiting();
  }

  addScore(score: number): void {
    this.calls.addScore(score).catch((error: unknown) => {
      this.options.onProblem(`The score wasn’t kept: ${failureText(error)}`);
    });
  }

  private async sendWaiting(): Promise<void> {
    this.isSaving = true;
    while (this.waiting !== null) {
      const json = this.waiting;
      this.waiting = null;
      try {
        const { version } = await this.calls.save({
          data: JSON.parse(json) as unknown,
          version: this.version,
        });
        this.version = version;
        this.options.onProblem(null);
        if (this.isCarrying) this.options.onCarried();
        this.isCarrying = false;
      } catch (error) {
        await this.explain(error);
      }
    }
    this.isSaving = false;
  }

  private async explain(error: unknown): Promise<void> {
    if (!(error instanceof HttpError && error.code === 'game.dataChanged')) {
      return this.options.onProblem(`The data wasn’t kept: ${failureText(error)}`);
    }
    this.waiting = null;
    this.isCarrying = false;
    try {
      const { data, version } = await this.calls.read();
      this.saved = data === null ? null : JSON.stringify(data);
      this.version = version;
      this.options.onProblem('Another device saved newer data. Restart the game to go on with it.');
    } catch (failure) {
      this.options.onProblem(`The data wasn’t kept: ${failureText(failure)}`);
    }
  }
}
