<?php

declare(strict_types=1);

namespace Heliograph;

/** The calls of one noun. */
abstract class Noun
{
    public function __construct(protected readonly Client $client)
    {
    }
}
