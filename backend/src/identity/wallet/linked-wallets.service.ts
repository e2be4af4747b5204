import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from '../../auth/user.entity.js';

/** Gives other modules the linked wallet of an account. */
@Injectable()
export class LinkedWalletsService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** The Ethereum address of an account, checksummed, or null if it has none. */
  async addressOf(userId: string): Promise<string | null> {
    const user = await this.users.findOne({ select: { ethAddress: true }, where: { id: userId } });
    return user?.ethAddress ?? null;
  }
}
