# Entry points. Each target describes itself; the scripts are in tools/.
.PHONY: help run demo test test-long cluster fuzz check fmt gen web e2e bench deb deps

help: ## lists the targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

run: ## builds and starts Vitrine in the sandbox at http://127.0.0.1:8080
	@tools/run

demo: ## fills a sandbox with two organisations, people and viewing, and starts it
	@tools/demo

test: ## runs every test and prints one closing line
	@tools/deps test
	@tools/test

test-long: ## runs the crash, soak, storage, export, package and fuzz tests that are too slow to run for every change
	@tools/deps long
	@tools/test long

cluster: ## kills parts of an installation with two servers, a worker, PostgreSQL with a standby and S3, and prints what that costs
	@tools/deps cluster
	@tools/cluster

fuzz: ## runs each fuzz harness for a minute, or for VITRINE_FUZZ_SECONDS
	@tools/deps run
	@VITRINE_FUZZ_SECONDS=$${VITRINE_FUZZ_SECONDS:-60} cargo test --quiet --package fuzz -- --nocapture

check: ## checks formatting, lints, types, dependencies, documentation and generated files
	@tools/deps check
	@tools/check

fmt: ## formats everything
	cargo fmt --all
	npm --prefix web run --silent format

gen: ## generates openapi.json, vitrine.example.toml, the TypeScript types and the dashboards for Grafana
	@tools/deps run
	@tools/gen

web: ## builds both web apps
	@tools/deps run
	@tools/web

e2e: ## runs the journeys in Chromium
	@tools/deps test
	@tools/test e2e

bench: ## measures performance and prints ratios
	@tools/deps bench
	@bench/run

deb: ## builds the Debian package in target/debian
	@tools/deps run
	@tools/deb

deps: ## installs missing packages
	@tools/deps test
