// Package rest has what Helm needs to compile. It replaces the package of Kubernetes, which asks a cluster.
package rest

type Config struct{}
