package main

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// cluster answers lookup with the objects of a request.
type cluster struct {
	objects []map[string]any
}

func (c cluster) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	return resources{cluster: c, apiVersion: apiVersion, kind: kind}, true, nil
}

type resources struct {
	cluster
	apiVersion, kind, namespace string
}

func (r resources) Namespace(name string) dynamic.ResourceInterface {
	r.namespace = name
	return r
}

func (r resources) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	for _, content := range r.objects {
		object := &unstructured.Unstructured{Object: content}
		if object.GetAPIVersion() == r.apiVersion && object.GetKind() == r.kind &&
			object.GetNamespace() == r.namespace && object.GetName() == name {
			return object, nil
		}
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: r.kind}, name)
}

func (r resources) List(context.Context, metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	return &unstructured.UnstructuredList{}, nil
}
